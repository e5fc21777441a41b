import type { MessagePort } from 'node:worker_threads';
import type { FromBroker, PendingConnect, ViewerMessage } from './broker-messages.ts';
import type {
  Admission,
  ConnectRequest,
  Overflow,
  OverflowKind,
  Refusal,
  UpMessage,
} from '../device-transport.ts';

const MAX_UP_BATCH = 1_000;

/** The broker thread's end of the port to the main thread: posts one message for many. */
export class BatchPort {
  readonly #port: Pick<MessagePort, 'postMessage'>;
  #creditBytes: number;
  #up: UpMessage[] = [];
  #upBytes = 0;
  #connects: PendingConnect[] = [];
  #refusals: Refusal[] = [];
  #overflows = new Map<string, number>();
  #watches: ViewerMessage[] = [];
  #gone: string[] = [];
  #soon: NodeJS.Immediate | undefined;
  #nextRef = 1;
  readonly #waitingForAdmission = new Map<number, (admission: Admission) => void>();
  #held: (() => void)[] = [];

  constructor(port: Pick<MessagePort, 'postMessage'>, creditBytes: number) {
    this.#port = port;
    this.#creditBytes = creditBytes;
  }

  post(message: FromBroker): void {
    this.#port.postMessage(message);
  }

  /** Calls `taken` immediately, or when the main thread has caught up: the device's PUBACK is delayed until then. */
  up(message: UpMessage, taken: () => void): void {
    this.#up.push(message);
    this.#upBytes += message.payload.byteLength;
    this.#creditBytes -= message.payload.byteLength;
    if (this.#up.length >= MAX_UP_BATCH) this.#flush();
    else this.#schedule();
    if (this.#creditBytes > 0) taken();
    else this.#held.push(taken);
  }

  addCredit(bytes: number): void {
    this.#creditBytes += bytes;
    if (this.#creditBytes <= 0) return;
    for (const taken of this.#held.splice(0)) taken();
  }

  askAdmission(request: ConnectRequest, answer: (admission: Admission) => void): void {
    const ref = this.#nextRef;
    this.#nextRef += 1;
    this.#waitingForAdmission.set(ref, answer);
    this.#connects.push({ ref, ...request });
    this.#schedule();
  }

  answerAdmission(ref: number, admission: Admission): void {
    this.#waitingForAdmission.get(ref)?.(admission);
    this.#waitingForAdmission.delete(ref);
  }

  refuse(refusal: Refusal): void {
    // Bounds a flood of rejections; the main thread records only a few for each device.
    if (this.#refusals.length < 1_000) this.#refusals.push(refusal);
    this.#schedule();
  }

  overflow(deviceId: string, kind: OverflowKind): void {
    const key = `${kind} ${deviceId}`;
    this.#overflows.set(key, (this.#overflows.get(key) ?? 0) + 1);
    this.#schedule();
  }

  watch(message: ViewerMessage): void {
    this.#watches.push(message);
    this.#schedule();
  }

  viewerGone(connection: string): void {
    this.#gone.push(connection);
    this.#schedule();
  }

  #schedule(): void {
    // Everything that the sockets deliver in one turn of the event loop is posted together.
    this.#soon ??= setImmediate(() => this.#flush());
  }

  #flush(): void {
    clearImmediate(this.#soon);
    this.#soon = undefined;
    if (this.#connects.length > 0) this.post({ kind: 'connects', requests: this.#connects });
    if (this.#up.length > 0) this.post({ kind: 'up', messages: this.#up, bytes: this.#upBytes });
    if (this.#refusals.length > 0) this.post({ kind: 'refused', refusals: this.#refusals });
    if (this.#overflows.size > 0)
      this.post({ kind: 'overflowed', overflows: this.#listOverflows() });
    if (this.#watches.length > 0) this.post({ kind: 'watches', messages: this.#watches });
    if (this.#gone.length > 0) this.post({ kind: 'viewers-gone', connections: this.#gone });
    this.#connects = [];
    this.#up = [];
    this.#upBytes = 0;
    this.#refusals = [];
    this.#overflows = new Map();
    this.#watches = [];
    this.#gone = [];
  }

  #listOverflows(): Overflow[] {
    return [...this.#overflows].map(([key, count]) => {
      const [kind = '', deviceId = ''] = key.split(' ');
      return { kind: kind as OverflowKind, deviceId, count };
    });
  }
}
