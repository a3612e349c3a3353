/** Per-model thresholds: keys are substrings of a model's name, or `provider:substring`. Case-sensitive. */
export interface ModelThreshold {
  readonly key: string;
  readonly threshold: number;
}

interface Match extends ModelThreshold {
  readonly length: number;
  readonly scoped: boolean;
}

/** The longest substring that matches wins; between equally long ones a scoped key wins, then the one written first. Null: no key matches. */
export function modelThreshold(thresholds: Readonly<Record<string, number>>, model: string): ModelThreshold | null {
  const name = withoutWire(model);
  let best: Match | null = null;
  for (const [key, threshold] of Object.entries(thresholds)) {
    const match = Number.isFinite(threshold) ? matchKey(key, threshold, name) : null;
    if (match !== null && (best === null || rank(match) > rank(best))) best = match;
  }
  return best === null ? null : { key: best.key, threshold: best.threshold };
}

const rank = (match: Match): number => match.length * 2 + (match.scoped ? 1 : 0);

function matchKey(key: string, threshold: number, name: string): Match | null {
  // Model names hold colons too (`llama3:8b`), so the whole key is tried as a substring first.
  if (name.includes(key)) return { key, threshold, length: key.length, scoped: false };
  const colon = key.indexOf(':');
  const slash = name.indexOf('/');
  if (colon <= 0 || slash < 0 || name.slice(0, slash) !== key.slice(0, colon)) return null;
  const substring = key.slice(colon + 1);
  return name.slice(slash + 1).includes(substring) ? { key, threshold, length: substring.length, scoped: true } : null;
}

/** `openai-chat:replay/recorded` → `replay/recorded`; `ollama/llama3:8b` and `llama3:8b` stay. */
function withoutWire(model: string): string {
  const colon = model.indexOf(':');
  return colon >= 0 && model.indexOf('/') > colon ? model.slice(colon + 1) : model;
}
