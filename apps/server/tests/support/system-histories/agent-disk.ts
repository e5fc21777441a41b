import { setImmediate } from 'node:timers/promises';
import { AgentState } from '../../../../agent/src/store/agent-state.ts';
import { AgentStore, snapshotLines } from '../../../../agent/src/store/agent-store.ts';
import { foldLines } from '../../../../agent/src/store/open-agent-store.ts';

/** The disk of an agent, which loses unflushed writes in a crash. */
export class AgentDisk {
  #lines: string[] = [...snapshotLines(new AgentState())];
  #durable = this.#lines.length;
  #life = 0;

  /** The store of the agent's next process. Late writes of an earlier process are lost. */
  open(): AgentStore {
    this.#life += 1;
    const life = this.#life;
    this.#lines.length = this.#durable;
    const state = new AgentState();
    foldLines(state, this.#lines);
    return new AgentStore(state, {
      write: (line) => {
        if (life === this.#life) this.#lines.push(line);
      },
      flush: () => this.#flush(life),
    });
  }

  async #flush(life: number): Promise<void> {
    const upTo = this.#lines.length;
    await setImmediate();
    if (life !== this.#life) throw new Error('the agent was killed');
    this.#durable = Math.max(this.#durable, upTo);
  }
}
