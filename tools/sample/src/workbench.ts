import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { clean } from './clean.ts';

export interface Call {
  readonly tool: 'bash' | 'read' | 'write' | 'edit';
  readonly args: Readonly<Record<string, string | number>>;
}

export interface Result {
  readonly text: string;
  readonly failed: boolean;
}

const LIMIT = 60_000;

/** A throw-away clone of the repository's last commit, in which every tool call really runs. */
export class Workbench {
  readonly #root: string;
  readonly #folders: readonly string[];
  readonly #bin: string;

  constructor(repository: string) {
    this.#root = realpathSync(mkdtempSync(join(tmpdir(), 'sample-')));
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', repository, this.#root]);
    symlinkSync(join(repository, 'node_modules'), join(this.#root, 'node_modules'));
    appendFileSync(join(this.#root, '.git/info/exclude'), 'node_modules\n');
    this.#bin = join(repository, 'node_modules', '.bin');
    this.#folders = [this.#root, repository.replace(/\/$/, ''), homedir()].filter((folder) => folder.length > 1);
  }

  run({ tool, args }: Call): Result {
    try {
      return this.#ran(tool, args);
    } catch (error) {
      return { text: clean(error instanceof Error ? error.message : String(error), this.#folders), failed: true };
    }
  }

  /** The last commit's time, in milliseconds: the session happens after it. */
  committedMs(): number {
    return Number(execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: this.#root, encoding: 'utf8' })) * 1000;
  }

  close(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }

  #ran(tool: Call['tool'], args: Call['args']): Result {
    if (tool === 'bash') return this.#bash(String(args['command']));
    const path = join(this.#root, String(args['path']));
    if (tool === 'read')
      return { text: this.#slice(readFileSync(path, 'utf8'), Number(args['offset'] ?? 1), Number(args['limit'] ?? 2000)), failed: false };
    mkdirSync(dirname(path), { recursive: true });
    if (tool === 'write') {
      const text = String(args['content']);
      writeFileSync(path, text);
      return { text: `Wrote ${String(text.length)} characters to ${String(args['path'])}.`, failed: false };
    }
    return this.#edit(path, String(args['path']), String(args['oldText']), String(args['newText']));
  }

  #edit(path: string, name: string, oldText: string, newText: string): Result {
    const before = readFileSync(path, 'utf8');
    const places = before.split(oldText).length - 1;
    if (places !== 1) return { text: `The text to replace occurs ${String(places)} times in ${name}; nothing was changed.`, failed: true };
    writeFileSync(
      path,
      before.replace(oldText, () => newText),
    );
    return { text: `Replaced one passage in ${name}.`, failed: false };
  }

  #bash(command: string): Result {
    const env = { PATH: `${this.#bin}:${process.env['PATH'] ?? ''}`, HOME: homedir(), NO_COLOR: '1', CI: 'true', LC_ALL: 'C', TZ: 'UTC' };
    const { stdout, stderr, status } = spawnSync('bash', ['-c', command], {
      cwd: this.#root,
      env,
      encoding: 'utf8',
      timeout: 240_000,
      maxBuffer: 1 << 26,
    });
    const text = clean([stdout, stderr].filter((part) => part !== '').join('\n'), this.#folders);
    const shown = text.length > LIMIT ? `${text.slice(0, LIMIT)}\n… (${String(text.length - LIMIT)} more characters)` : text;
    const code = status === 0 ? '' : `\n\nCommand exited with code ${String(status ?? 'unknown')}`;
    return { text: `${shown === '' ? '(no output)' : shown}${code}`, failed: status !== 0 };
  }

  #slice(text: string, offset: number, limit: number): string {
    const lines = text.trimEnd().split('\n');
    const part = lines.slice(offset - 1, offset - 1 + limit);
    const left = lines.length - (offset - 1 + part.length);
    return (
      clean(part.join('\n'), this.#folders) +
      (left > 0 ? `\n\n(${String(left)} more lines; continue with offset ${String(offset + part.length)})` : '')
    );
  }
}
