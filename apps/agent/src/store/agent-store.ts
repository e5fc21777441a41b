/** The durable state of one agent. Every record is applied to memory and log together. */

import type { AgentState, AgentRecord } from './agent-state.ts';

/** Log of an agent's records. */
export interface AgentLog {
  write(line: string): void;
  /** Resolves when everything written so far would survive a kill. */
  flush(): Promise<void>;
}

export class AgentStore {
  readonly state: AgentState;
  readonly #log: AgentLog;

  constructor(state: AgentState, log: AgentLog) {
    this.state = state;
    this.#log = log;
  }

  record(record: AgentRecord): void {
    if (record.t !== 'entry') {
      this.state.apply(record);
      this.#log.write(JSON.stringify(record));
      return;
    }
    const json = JSON.stringify(record.entry);
    this.state.apply(record, json);
    this.#log.write(entryLine(json, record.mark && JSON.stringify(record.mark)));
  }

  durable(): Promise<void> {
    return this.#log.flush();
  }
}

function entryLine(entryJson: string, markJson?: string): string {
  return markJson
    ? `{"t":"entry","entry":${entryJson},"mark":${markJson}}`
    : `{"t":"entry","entry":${entryJson}}`;
}

/** The lines of a state's snapshot. */
export function* snapshotLines(state: AgentState): Generator<string> {
  for (const record of state.snapshot()) {
    yield 'json' in record ? entryLine(record.json) : JSON.stringify(record);
  }
}

/** A log that stores nothing. */
export const forgetfulLog: AgentLog = { write: () => {}, flush: () => Promise.resolve() };
