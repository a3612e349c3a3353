import type { Choice } from './choose.ts';
import type { Turn } from './scene.ts';
import { catalogue } from './turns/catalogue.ts';
import { contracts } from './turns/contracts.ts';
import { engines } from './turns/engines.ts';
import { housekeeping } from './turns/housekeeping.ts';
import { makingRoom } from './turns/making-room.ts';
import { orientation } from './turns/orientation.ts';
import { theTurn } from './turns/the-turn.ts';

/** The whole session: a newcomer is shown the repository, asks how it works, and has some small things done. */
export const turns = (choice: Choice): readonly Turn[] => [
  ...orientation(choice),
  ...contracts(choice),
  ...theTurn(choice),
  ...catalogue(),
  ...makingRoom(choice),
  ...engines(choice),
  ...housekeeping(choice),
];
