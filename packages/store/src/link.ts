import type { Operation, StoreOperations } from './worker/protocol.ts';

/** Takes operations to the database, in the order in which they are called, and brings the answers back. */
export interface Link {
  /** @throws STORE_OPEN_FAILED, STORE_TOO_NEW, STORE_CLOSED, STORE_FAILED, and what the operation throws. */
  call<K extends Operation>(operation: K, ...input: Parameters<StoreOperations[K]>): Promise<ReturnType<StoreOperations[K]>>;
  /** Lets everything asked before finish. Idempotent. */
  close(): Promise<void>;
}
