import type { Inbox, UserInput } from '@palimpsest/contracts';

/** Holds what joins the running turn, and knows whether other inputs wait behind it. */
export class SessionInbox implements Inbox {
  private steer: UserInput[] = [];
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
}
