import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const command = fileURLToPath(new URL('../bin/palimpsest.js', import.meta.url));
const memory = new URL('memory.mjs', import.meta.url).href;

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly peakBytes: number;
}
export interface Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
}

/** A home and a project folder of its own for the built command. */
export class Place {
  readonly folder: string;
  readonly #children = new Set<ChildProcess>();
  #runs = 0;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<Place> {
    return new Place(await mkdtemp(join(tmpdir(), 'palimpsest-cli-')));
  }

  path(...names: readonly string[]): string {
    return join(this.folder, ...names);
  }

  get database(): string {
    return this.path('home', 'palimpsest.db');
  }

  start(...args: readonly string[]): Running {
    return this.#startIn(this.folder, args);
  }

  /** As typed in another folder. */
  runIn(folder: string, ...args: readonly string[]): Promise<Finished> {
    return this.#startIn(folder, args).finished;
  }

  #startIn(cwd: string, args: readonly string[]): Running {
    const file = this.path(`memory-${String((this.#runs += 1))}`);
    const env = { ...process.env, PALIMPSEST_HOME: this.path('home'), PEAK_MEMORY_FILE: file, NO_COLOR: '1' };
    const child = spawn(process.execPath, ['--import', memory, command, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#children.add(child);
    child.once('close', () => this.#children.delete(child));
    return { child, finished: finished(child, file) };
  }

  run(...args: readonly string[]): Promise<Finished> {
    return this.start(...args).finished;
  }

  /** The JSON that a command printed. */
  async json<T>(...args: readonly string[]): Promise<T> {
    const { code, stdout, stderr } = await this.run(...args, '--json');
    if (code !== 0) throw new Error(`${args.join(' ')}: exit ${String(code)}: ${stderr}`);
    return JSON.parse(stdout) as T;
  }

  /** Ends what a failed test left running. */
  async close(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function finished(child: ChildProcess, memoryFile: string): Promise<Finished> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once('close', (...end) => {
      resolve(end);
    });
  });
  const peakBytes = Number(await readFile(memoryFile, 'utf8').catch(() => '0'));
  return { code, signal, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString(), peakBytes };
}
