import { describe, expect, it } from 'vitest';
import { shownInMidTurn, type QueueEvent } from './queue.ts';

const enqueue = (record: number, text: string): QueueEvent => ({ kind: 'enqueue', record, text });
const remove = (record: number, text: string | null = null): QueueEvent => ({ kind: 'remove', record, text });
const delivered = (text: string): QueueEvent => ({ kind: 'delivered', text });
const shown = (...events: QueueEvent[]): [number, number][] => [...shownInMidTurn(events)];

describe('queued text', () => {
  it('is shown where it is removed, first in, first out', () => {
    expect(shown(enqueue(1, 'a'), enqueue(2, 'b'), remove(3), remove(4))).toEqual([
      [3, 1],
      [4, 2],
    ]);
  });
  it('is not shown again when a record delivers it later', () => {
    expect(shown(enqueue(1, 'a'), remove(2), delivered('a'))).toEqual([]);
    expect(shown(enqueue(1, 'a'), enqueue(2, 'b'), { kind: 'dequeue' }, delivered('a'), remove(3))).toEqual([[3, 2]]);
  });
  it('delivers equal texts one by one', () => {
    expect(shown(enqueue(1, 'a'), enqueue(2, 'a'), delivered('a'), remove(3))).toEqual([[3, 2]]);
  });
  it('passes over a head that is delivered without any operation', () => {
    expect(shown(enqueue(1, 'n'), enqueue(2, 'b'), remove(3), delivered('n'))).toEqual([[3, 2]]);
  });
  it('is gone when taken back, and a blank text is nothing', () => {
    expect(shown(enqueue(1, 'a'), { kind: 'popAll' }, remove(2), enqueue(3, ' '), remove(4))).toEqual([]);
  });
  it('takes the named text', () => {
    expect(shown(enqueue(1, 'a'), enqueue(2, 'b'), remove(3, 'b'), remove(4))).toEqual([
      [3, 2],
      [4, 1],
    ]);
  });
});
