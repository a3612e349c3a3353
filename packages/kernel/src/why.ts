import { edgeOf, errors, inert, isShownEntry } from '@palimpsest/contracts';
import type {
  Artifact,
  Artifacts,
  Entry,
  EntryId,
  Log,
  ModelRequest,
  RenderBlock,
  Renderer,
  Session,
  SessionId,
  StepBody,
  Why,
  WhyBlock,
  Wire,
} from '@palimpsest/contracts';
import { blocksOf } from './branch/blocks.ts';
import { loadPath } from './branch/load.ts';
import { bySegment } from './branch/segments.ts';
import type { Path } from './branch/path.ts';
import { walk } from './branch/walk.ts';
import { hashOf } from './hash.ts';
import { recordedPrompt } from './prompt-keeper.ts';
import { edited, type RequestEdit } from './request-edit.ts';

/** All that the past needs: no engine, no model, no lease. */
export interface WhyParts {
  readonly session: SessionId;
  readonly log: Log;
  readonly artifacts: Artifacts;
  readonly renderer: Renderer;
  readonly wireOf: (route: string) => Promise<Wire>;
}

type Step = Entry<StepBody>;

/** Rebuilds a step's request from the log alone, without the engine, and says for each block why it was there. */
export async function why(parts: WhyParts, asked: Parameters<Session['why']>[0]): Promise<Why> {
  const { step, index } = await findStep(parts, asked);
  const path = await loadPath(parts, step.parent);
  const blocks = blocksOf(path.units, step.plan);
  const request = await rebuilt(parts, step, path, blocks);
  return {
    session: step.session,
    step: step.id,
    index,
    engine: step.engine,
    route: step.route,
    epoch: step.epoch,
    breakReason: step.breakReason,
    budget: step.budget,
    judgement: { tokens: step.judgement.tokens, mark: step.judgement.mark, metric: step.judgement.metric },
    blocks: blocks.map((block) => explained(block, path)),
    hidden: hiddenOf(path, step),
    declined: step.declined,
    body: await (await parts.wireOf(step.route)).body(request),
    verified: hashOf(request) === step.hash,
  };
}

async function rebuilt(parts: WhyParts, step: Step, path: Path, blocks: readonly RenderBlock[]): Promise<ModelRequest> {
  const prompt = path.marks.prompt === null ? { system: '', tools: [] } : await recordedPrompt(parts.artifacts, path.marks.prompt);
  const artifact = async (id: Artifact['id']): Promise<string> => (await parts.artifacts.get(id))?.body ?? '';
  const settings = step.settings as ModelRequest['settings'];
  const rendered = await parts.renderer.render({
    route: step.route,
    ...prompt,
    settings,
    blocks,
    artifact,
    opaqueAfterSeq: path.marks.epoch?.seq ?? 0,
  });
  const patch = step.patch === null ? null : await parts.artifacts.get(step.patch);
  return patch === null ? rendered : edited(rendered, JSON.parse(patch.body) as RequestEdit, settings);
}

/** By id, by position from 1, or the newest. Only on the current path. */
async function findStep(
  { session, log }: WhyParts,
  asked: EntryId | number | undefined,
): Promise<{ readonly step: Step; readonly index: number }> {
  const leaf = (await log.session(session))?.leaf ?? null;
  if (typeof asked === 'string') return byId({ session, log }, asked);
  const steps: Step[] = [];
  if (leaf !== null)
    for await (const entry of walk(log, { session, leaf, until: null }, ['step'])) if (entry.kind === 'step') steps.push(entry);
  steps.reverse();
  const index = asked === undefined ? steps.length - 1 : asked - 1;
  const step = steps[index];
  if (step === undefined) throw errors.whyNoStep(session, asked === undefined ? null : String(asked), steps.length);
  return { step, index: index + 1 };
}

/** A step of any branch; its number is that on its own path. */
async function byId(
  { session, log }: Pick<WhyParts, 'session' | 'log'>,
  id: EntryId,
): Promise<{ readonly step: Step; readonly index: number }> {
  const [step] = await log.get(session, [id]);
  if (step?.kind !== 'step') throw errors.whyNoStep(session, id);
  let index = 0;
  for await (const entry of walk(log, { session, leaf: id, until: null }, ['step'])) if (entry.kind === 'step') index += 1;
  return { step, index };
}

function explained(block: RenderBlock, path: Path): WhyBlock {
  if (block.kind === 'summary') {
    const preview = 'inline' in block.segment.text ? block.segment.text.inline : `artifact ${block.segment.text.artifact}`;
    return {
      origin: block.through,
      shape: 'summary',
      tokens: block.segment.tokens,
      reason: 'stands for the entries up to it',
      preview: cut(preview),
    };
  }
  const { entry, shape, shownTokens: tokens, group } = block.placed;
  const reduced = shape.kind === 'reduced' ? `shown shorter: ${[...new Set(shape.items.map((item) => item.reason))].join(', ')}` : null;
  const reason =
    reduced ??
    (entry.id === path.marks.newestUser
      ? 'newest user input'
      : group === entry.id
        ? 'in the plan, whole'
        : 'result of a call that is shown');
  return { origin: entry.id, shape: shape.kind, tokens, reason, preview: cut(previewOf(entry)) };
}

/** Stretches of which the view shows no entry: by the plan, or by a compaction in force. */
function hiddenOf(path: Path, step: Step): Why['hidden'] {
  return bySegment(path.units, step.plan.segments).flatMap(({ segment, units }) => {
    const first = units[0];
    if (segment !== null && segment.show !== 'entries' && first !== undefined) {
      const reach = segment.show === 'nothing' ? segment.reach : 'summary';
      return [
        {
          from: edgeOf(first),
          through: segment.through,
          entries: units.filter(isShownEntry).length,
          reason: segment.show === 'nothing' ? segment.reason : `summary (${segment.quality})`,
          reach,
        },
      ];
    }
    return units.flatMap((unit) =>
      unit.kind === 'entry'
        ? []
        : [
            {
              from: unit.through,
              through: unit.through,
              entries: 0,
              reason: unit.kind === 'gap' ? unit.segment.reason : `compaction ${unit.by}`,
              reach: unit.kind === 'gap' ? unit.segment.reach : 'summary',
            },
          ],
    );
  });
}

function previewOf(entry: Entry): string {
  if (entry.kind === 'custom') return entry.shown ?? '';
  if (entry.kind !== 'message') return entry.kind;
  return entry.message.content
    .map((part) => {
      if (part.type === 'text' || part.type === 'reasoning') return part.text;
      if (part.type === 'tool-call') return `→ ${part.toolName} ${JSON.stringify(part.input)}`;
      return part.type === 'tool-result' ? `← ${part.toolName} ${JSON.stringify(part.output.value)}` : `[${part.type}]`;
    })
    .join(' ');
}

function cut(text: string): string {
  // What a session holds must not reach a terminal as a command.
  const line = inert(text.slice(0, 400).replace(/\s+/gu, ' ').trim());
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
