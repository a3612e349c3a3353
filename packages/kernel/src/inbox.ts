import { sessionToken } from '@palimpsest/contracts';
import type { Inbox, UserInput } from '@palimpsest/contracts';

/** Holds what joins the running turn, and knows whether other inputs wait behind it. */
export class SessionInbox implements Inbox {
  private steer: UserInput[] = [];
  private readonly late = new Set<UserInput>();
  /** Inputs that wait for a turn of their own. */
  waiting = 0;

  get empty(): boolean {
    return this.waiting === 0 && this.steer.length === 0;
  }

  join(input: UserInput): void {
    this.steer.push(input);
  }

  steering(): readonly UserInput[] {
    const taken = this.steer;
    this.steer = [];
    return taken;
  }

  /** The turn is over: what came too late for it is not lost, and joins no other turn unasked. */
  turnEnded(): void {
    for (const input of this.steering()) this.late.add(input);
  }

  /** True once for an input that came too late. */
  takeLate(input: UserInput): boolean {
    return this.late.delete(input);
  }
}

export const KERNEL_INBOX = sessionToken<SessionInbox>('kernel.session-inbox');
