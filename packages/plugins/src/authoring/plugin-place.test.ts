import { expect, it } from 'vitest';
import { nextSteps, ownerOf, trustAdvice } from './plugin-place.ts';

const here = { name: 'deep', projectDir: '/srv/app', userDir: '/home/me/.palimpsest' };
const steps = (folder: string): readonly string[] => nextSteps({ ...here, folder });

it('names whose plugin a folder is', () => {
  expect(
    [
      '/srv/app/plugins/context_engine/deep',
      '/srv/app/plugins/context_engine/deep/',
      '/plugins/context_engine/deep',
      '/srv/app/context_engine/deep',
      '/srv/my-plugins/context_engine/deep',
    ].map(ownerOf),
  ).toEqual(['/srv/app', '/srv/app', '/', null, null]);
});

it('says what comes next, as it is typed where the author is', () => {
  expect(steps('/srv/app/plugins/context_engine/deep')).toEqual([
    'palimpsest engine check /srv/app/plugins/context_engine/deep',
    'palimpsest engine trust deep',
    'context.engine: deep in palimpsest.yaml',
  ]);
  expect(steps('/srv/other/plugins/context_engine/deep')[1]).toBe('cd /srv/other && palimpsest engine trust deep');
  expect(steps('/home/me/.palimpsest/plugins/context_engine/deep')).toEqual([
    'palimpsest engine check /home/me/.palimpsest/plugins/context_engine/deep',
    'context.engine: deep in palimpsest.yaml',
  ]);
  expect(steps('/else/where/deep')[1]).toBe('mkdir -p plugins/context_engine && cp -R /else/where/deep plugins/context_engine/');
});

it('quotes what a shell would take apart', () => {
  expect(steps("/my own/it's/deep")[0]).toBe(String.raw`palimpsest engine check '/my own/it'\''s/deep'`);
});

it('advises how to trust what was named by a path', () => {
  expect(trustAdvice('/srv/app/plugins/context_engine/deep', '/srv/app')).toBe('Run: palimpsest engine trust deep');
  expect(trustAdvice('/srv/app/plugins/context_engine/deep', '/srv/app/plugins/context_engine/deep')).toBe(
    'Run: cd /srv/app && palimpsest engine trust deep',
  );
  expect(trustAdvice('/else/where/deep', '/srv/app')).toContain('palimpsest engine trust deep');
});
