import type Sqlite from 'better-sqlite3';

/**
 * Everything that only this session holds, in the caller's transaction: entries, words, pieces, artifacts, record. Its lease stays, so
 * that its fence never falls.
 * The word index is written anew, since a row deleted from it leaves its words behind until its segment is merged.
 */
export class SessionDrop {
  readonly #database: Sqlite.Database;

  constructor(database: Sqlite.Database) {
    this.#database = database;
  }

  run(session: number): void {
    const orphans = this.#letGo(session);
    const chunks = this.#unlink(session, orphans);
    for (const table of ['words', 'pairs'])
      this.#run(`DELETE FROM ${table} WHERE rowid > (:it << 31) AND rowid < ((:it + 1) << 31)`, session);
    for (const artifact of orphans) {
      for (const table of ['words', 'pairs']) this.#run(`DELETE FROM ${table} WHERE rowid = :it`, artifact);
      this.#run('DELETE FROM artifacts WHERE number = :it', artifact);
    }
    for (const table of ['words', 'pairs']) this.#database.exec(`INSERT INTO ${table} (${table}) VALUES ('optimize')`);
    for (const chunk of chunks)
      this.#run('DELETE FROM chunks WHERE number = :it AND NOT EXISTS (SELECT 1 FROM pieces WHERE chunk = :it)', chunk);
    this.#run('DELETE FROM entries WHERE key > (:it << 31) AND key < ((:it + 1) << 31)', session);
    this.#run('DELETE FROM sessions WHERE number = :it', session);
  }

  /** Lets go of artifacts; those that others hold stay, and belong to the oldest of these. Returns the rest. */
  #letGo(session: number): number[] {
    const held = this.#numbers('SELECT artifact FROM holders WHERE session = :it', session);
    this.#run('DELETE FROM holders WHERE session = :it', session);
    this.#run(
      'UPDATE artifacts SET session = (SELECT min(session) FROM holders WHERE artifact = number) WHERE session = :it AND number IN (SELECT artifact FROM holders)',
      session,
    );
    return held.filter((artifact) => this.#numbers('SELECT 1 FROM holders WHERE artifact = :it LIMIT 1', artifact).length === 0);
  }

  #unlink(session: number, artifacts: readonly number[]): number[] {
    const chunks = new Set(this.#numbers('SELECT chunk FROM pieces WHERE owner > (:it << 31) AND owner < ((:it + 1) << 31)', session));
    this.#run('DELETE FROM pieces WHERE owner > (:it << 31) AND owner < ((:it + 1) << 31)', session);
    for (const artifact of artifacts) {
      for (const chunk of this.#numbers('SELECT chunk FROM pieces WHERE owner = :it', artifact)) chunks.add(chunk);
      this.#run('DELETE FROM pieces WHERE owner = :it', artifact);
    }
    return [...chunks];
  }

  #numbers(sql: string, input: number): number[] {
    return this.#database.prepare<[{ readonly it: number }], number>(sql).pluck().all({ it: input });
  }

  #run(sql: string, input: number): void {
    this.#database.prepare(sql).run({ it: input });
  }
}
