import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineHost } from '@palimpsest/contracts';
import { definition } from '../test/definitions.ts';
import { EngineRegistry } from './engine-registry.ts';
import { resolveEngine, type ResolvedEngine, type ResolveOptions } from './resolve-engine.ts';

let root = '';
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'palimpsest-plugins-')));
});
afterEach(() => rm(root, { recursive: true }));

const builtIn = definition('compressor', { version: '0.1.0' });
const running = globalThis as { loadedPlugins?: string[] };
/** Says so when it runs. */
const engineModule = (place: string): string => `(globalThis.loadedPlugins ??= []).push('${place}');
export default (host) => ({ plan: () => ({ segments: [], estimateTokens: host.options.size ?? 0 }), status: () => ({ summary: '${place}' }) });`;

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), text);
}
const folder = (place: 'project' | 'user', name = 'deep'): string => `${place}/plugins/context_engine/${name}`;
async function plugin(place: 'project' | 'user', manifest = '', module: string | null = engineModule(place), name = 'deep'): Promise<void> {
  await write(
    `${folder(place, name)}/plugin.yaml`,
    `${manifest.includes('name:') ? '' : `name: ${name}\n`}version: 1.0.0\n${manifest.includes('contract:') ? '' : 'contract: ^1.0\n'}${manifest.includes('main:') ? '' : 'main: engine.mjs\n'}${manifest}`,
  );
  if (module !== null) await write(`${folder(place, name)}/engine.mjs`, module);
}
const resolve = (more: Partial<ResolveOptions> = {}): Promise<ResolvedEngine> =>
  resolveEngine({
    name: 'deep',
    projectDir: join(root, 'project'),
    userDir: join(root, 'user'),
    registry: new EngineRegistry(),
    builtIn,
    ...more,
  });
const trusting = (): Promise<true> => Promise.resolve(true);
const rows = ({ resolution }: { readonly resolution: ResolvedEngine['resolution'] }): readonly string[] =>
  resolution.lookups.map(({ place, found, why }) => `${found ? '+' : '-'} ${place.replace(`${root}/`, '')}: ${why}`);
const registryOf = (...names: readonly string[]): EngineRegistry => {
  const registry = new EngineRegistry();
  for (const name of names) registry.register(definition(name, { version: '0.1.0' }));
  return registry;
};
async function statusOf(resolved: ResolvedEngine): Promise<string | undefined> {
  const { definition } = await resolved.load();
  const engine = await definition.factory({ options: definition.parseOptions?.({}) } as unknown as EngineHost<never>);
  return engine.status?.().summary;
}

describe('the order of places', () => {
  it('asks project, user, registry, built-in, and leaves a row for each', async () => {
    const resolved = await resolve();
    expect(rows(resolved)).toEqual([
      `- project: ${folder('project')}: no such folder`,
      `- user: ${folder('user')}: no such folder`,
      '- registry: nothing is registered',
      '- built-in: the built-in engine is named compressor',
    ]);
    expect(resolved.resolution).toMatchObject({
      asked: 'deep',
      name: 'compressor',
      version: '0.1.0',
      resolvedFrom: 'built-in',
      substituted: true,
    });
    expect((await resolved.load()).definition).toBe(builtIn);
  });

  it('takes a trusted project plugin first', async () => {
    await plugin('project');
    await plugin('user');
    const resolved = await resolve({ trust: trusting, registry: registryOf('deep') });
    expect(resolved.resolution).toMatchObject({ name: 'deep', version: '1.0.0', resolvedFrom: 'project', substituted: false });
    expect(rows(resolved)).toEqual([`+ project: ${folder('project')}: version 1.0.0, trusted`]);
    expect(await statusOf(resolved)).toBe('project');
  });

  it("takes the user's without asking anybody", async () => {
    await plugin('user');
    const resolved = await resolve({ trust: () => Promise.reject(new Error('not asked')) });
    expect(resolved.resolution).toMatchObject({ resolvedFrom: 'user', substituted: false });
    expect(await statusOf(resolved)).toBe('user');
  });

  it('takes a registered one when no folder has it', async () => {
    const registry = registryOf('other', 'deep');
    const resolved = await resolve({ registry });
    expect(resolved.resolution).toMatchObject({ resolvedFrom: 'registry', version: '0.1.0' });
    expect((await resolved.load()).definition).toBe(registry.get('deep'));
    expect(rows(await resolve({ name: 'absent', registry }))[2]).toBe('- registry: registered: other, deep');
  });

  it('means the built-in by compressor, whatever lies in a folder', async () => {
    await plugin('project', '', engineModule('project'), 'compressor');
    await plugin('user', '', engineModule('user'), 'compressor');
    const resolved = await resolve({ name: 'compressor', trust: trusting, registry: registryOf('deep') });
    expect(resolved.resolution).toMatchObject({ name: 'compressor', resolvedFrom: 'built-in', substituted: false });
    expect((await resolved.load()).definition).toBe(builtIn);
    expect(
      rows(resolved)
        .slice(0, 2)
        .every((row) => row.endsWith('"compressor" always means the built-in')),
    ).toBe(true);
  });

  it('reports what the engine claims, that of the one which answers', async () => {
    const claims = { owns: ['reduce'], needs: ['search'], permissions: ['network'], marks: { start: 20_000 } };
    await plugin('user', 'owns: [reduce]\nneeds: [search]\npermissions: [network]\nmarks: {start: 20000}\n');
    expect((await resolve()).resolution.claims).toEqual(claims);
    await plugin('user', 'needs: [gpu]\n');
    expect((await resolve()).resolution).toMatchObject({ substituted: true, claims: { owns: [], needs: [], permissions: [] } });
  });

  it('activates nothing that was not asked for', async () => {
    await plugin('user');
    expect((await resolve({ name: 'compressor', registry: registryOf('deep') })).resolution.name).toBe('compressor');
  });
});

describe('trust', () => {
  it('keeps a project plugin from running unless the host says otherwise, and names the command', async () => {
    await plugin('project');
    delete running.loadedPlugins;
    const resolved = await resolve();
    await resolved.load();
    expect(rows(resolved)[0]).toBe(
      `- project: ${folder('project')}: not trusted; if you know this code, run: palimpsest engine trust deep`,
    );
    expect(resolved.resolution.substituted).toBe(true);
    expect(running.loadedPlugins).toBeUndefined();
  });

  it('asks the policy with the real folder and the manifest, before any code runs', async () => {
    await plugin('project');
    delete running.loadedPlugins;
    const asked: unknown[] = [];
    const resolved = await resolve({
      trust: (where, { version }) => {
        asked.push([where, version, running.loadedPlugins]);
        return trusting();
      },
    });
    expect(asked).toEqual([[join(root, folder('project')), '1.0.0', undefined]]);
    expect(running.loadedPlugins).toBeUndefined();
    await resolved.load();
    expect(running.loadedPlugins).toEqual(['project']);
  });

  it('counts a policy that breaks as a no', async () => {
    await plugin('project');
    expect(rows(await resolve({ trust: () => Promise.reject(new Error('disk gone')) }))[0]).toContain('- project');
    expect(
      rows(
        await resolve({
          trust: () => {
            throw new Error('disk gone');
          },
        }),
      )[0],
    ).toContain('could not be told: disk gone');
  });
});

it('takes a folder whose manifest has another name as an alias of it, and says so', async () => {
  await plugin('user', 'name: shallow\n');
  const resolved = await resolve();
  expect(rows(resolved)[1]).toBe(`+ user: ${folder('user')}: version 1.0.0, an alias: its manifest is named "shallow"`);
  expect(resolved.resolution).toMatchObject({ asked: 'deep', name: 'deep', resolvedFrom: 'user' });
  expect((await resolved.load()).definition.manifest.name).toBe('deep');
});

describe('a folder that does not count', () => {
  it.each([
    ['contract: ^2.0\n', 'contract ^2.0 is asked for, this host speaks'],
    ['contract: newest\n', 'is no range'],
    ['needs: [search, telepathy]\n', 'it needs telepathy, which this host does not offer'],
    ['provides: [memory]\n', 'it provides no context-engine'],
    ['main: ../engine.mjs\n', 'leads out of the folder'],
    ['main: /etc/hostname\n', 'leads out of the folder'],
    ['main: absent.mjs\n', 'no such file'],
    ['main: .\n', 'is no file'],
    ['colour: red\n', 'plugin.yaml:5: colour: Unrecognized key'],
  ])('%j', async (manifest, why) => {
    await plugin('user', manifest);
    const resolved = await resolve({ registry: registryOf('deep') });
    expect(rows(resolved)[1]).toContain(`- user: ${folder('user')}: `);
    expect(rows(resolved)[1]).toContain(why);
    expect(resolved.resolution.resolvedFrom).toBe('registry');
  });

  it('has no manifest, or is a file', async () => {
    await mkdir(join(root, folder('project')), { recursive: true });
    await write(folder('user'), 'a file');
    expect(rows(await resolve()).slice(0, 2)).toEqual([
      `- project: ${folder('project')}: it has no plugin.yaml`,
      `- user: ${folder('user')}: it has no plugin.yaml`,
    ]);
  });

  it('has a main that leads out through a link', async () => {
    await plugin('user', 'main: engine.mjs\n', null);
    await write('elsewhere/engine.mjs', engineModule('elsewhere'));
    await symlink(join(root, 'elsewhere/engine.mjs'), join(root, folder('user'), 'engine.mjs'));
    expect(rows(await resolve())[1]).toContain('leads out of the folder through a link');
    await rm(join(root, folder('user'), 'engine.mjs'));
    await symlink(join(root, 'elsewhere'), join(root, folder('user'), 'lib'));
    await plugin('user', 'main: lib/engine.mjs\n', null);
    expect(rows(await resolve())[1]).toContain('leads out of the folder through a link');
  });

  it('may itself be a link, and links inside it are fine', async () => {
    await write('elsewhere/plugin.yaml', 'name: deep\nversion: 1.0.0\ncontract: ^1.0\nmain: link.mjs\n');
    await write('elsewhere/engine.mjs', engineModule('elsewhere'));
    await symlink('engine.mjs', join(root, 'elsewhere/link.mjs'));
    await mkdir(join(root, folder('user'), '..'), { recursive: true });
    await symlink(join(root, 'elsewhere'), join(root, folder('user')));
    expect(await statusOf(await resolve())).toBe('elsewhere');
  });

  it.each(['../../../elsewhere', '.', '', 'a/b', 'Deep', '__proto__', 'x'.repeat(65)])(
    'has the name %j, which no engine can have',
    async (name) => {
      await write('elsewhere/plugin.yaml', 'name: elsewhere\nversion: 1.0.0\ncontract: ^1.0\nmain: engine.mjs\n');
      const resolved = await resolve({ name, trust: trusting });
      expect(resolved.resolution).toMatchObject({ asked: name, name: 'compressor', substituted: true });
      expect(rows(resolved)[0]).toContain('no engine can have this name');
    },
  );
});

describe('nobody has it', () => {
  it('is an error under fail, with every place and why', async () => {
    await plugin('project');
    await expect(resolve({ onFailure: 'fail' })).rejects.toMatchObject({
      code: 'ENGINE_UNKNOWN',
      kind: 'config',
      details: {
        name: 'deep',
        places: [
          expect.stringContaining('palimpsest engine trust deep') as string,
          expect.any(String) as string,
          expect.any(String) as string,
          expect.any(String) as string,
        ],
      },
    });
  });
});

describe('a plugin that cannot be loaded', () => {
  it.each([
    ['throw new Error("boom")', 'boom'],
    ['export default 3', 'its default export is neither'],
    ['export const create = () => null', 'its default export is neither'],
    ['export default {', ''],
    ['import "nowhere-to-be-found"', 'nowhere-to-be-found'],
  ])('%j', async (module, problem) => {
    await plugin('user', '', module);
    const resolved = await resolve();
    expect(resolved.resolution).toMatchObject({ name: 'deep', substituted: false });
    const loaded = await resolved.load();
    expect(loaded.definition).toBe(builtIn);
    expect(loaded.resolution).toMatchObject({ asked: 'deep', name: 'compressor', resolvedFrom: 'built-in', substituted: true });
    expect(rows(loaded).at(-1)).toMatch(new RegExp(`^- user: .*loading .*engine\\.mjs failed: .*${problem}`, 'su'));
    await expect((await resolve({ onFailure: 'fail' })).load()).rejects.toMatchObject({
      code: 'PLUGIN_LOAD_FAILED',
      details: { name: 'deep', file: join(root, folder('user'), 'engine.mjs') },
    });
  });

  it('was changed after it was looked at', async () => {
    await plugin('user');
    const resolved = await resolve({ onFailure: 'fail' });
    await write('elsewhere/engine.mjs', engineModule('elsewhere'));
    await rm(join(root, folder('user'), 'engine.mjs'));
    await symlink(join(root, 'elsewhere/engine.mjs'), join(root, folder('user'), 'engine.mjs'));
    await expect(resolved.load()).rejects.toMatchObject({
      code: 'PLUGIN_LOAD_FAILED',
      message: expect.stringContaining('through a link') as string,
    });
  });
});

it('checks the options of a bare factory by its manifest', async () => {
  await plugin('user', 'options: {type: object, properties: {size: {type: integer, default: 4}}, additionalProperties: false}\n');
  const { definition } = await (await resolve()).load();
  expect(definition.parseOptions?.({})).toEqual({ size: 4 });
  expect(() => definition.parseOptions?.({ sise: 3 })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});
