/** What a reader of a rollout must know beforehand. */
export interface CodexFacts {
  /** Numbers of items that an event proves to be typed. */
  readonly typed: ReadonlySet<number>;
  /** Numbers of events that no item repeats. */
  readonly alone: ReadonlySet<number>;
  /** Stretches of records that a rollback took away: first and last number. */
  readonly rewound: readonly (readonly [number, number])[];
}
export const NOTHING_KNOWN: CodexFacts = { typed: new Set(), alone: new Set(), rewound: [] };
