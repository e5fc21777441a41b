/** A product with a data folder of its own, as the comparison drives it. */
export interface Product {
  readonly name: string;
  /** Starts it with its database. The data folder is empty the first time. */
  readonly start: () => Promise<RunningProduct>;
  /** Creates the account of the benchmark while the product is stopped, after its first start. */
  readonly prepare: () => Promise<void>;
}

export interface RunningProduct extends AsyncDisposable {
  /** From spawn to the first successful answer, its database included. */
  readonly readyAfterMs: number;
  /** Processes that, with their descendants, are the product and its database. */
  readonly pids: readonly number[];
  /** Starts the product's own agent on this machine. Resolves when the product shows it as connected. */
  readonly startAgent: (() => Promise<RunningAgent>) | undefined;
  /** Connects simulated devices of one other process. Resolves when the product shows all of them as connected. */
  readonly connect: (count: number) => Promise<void>;
  /** Work on all connected devices, by the way that the product has for it. */
  readonly tasks: Readonly<Record<string, Task>>;
  /** Stores further devices, which never connect, up to this number. */
  readonly storeUpTo: (count: number) => Promise<void>;
  /** @param stored number of devices */
  readonly lists: Readonly<Record<string, (stored: number) => List>>;
}

export interface Task {
  /** Milliseconds from the request to the last result. */
  readonly run: () => Promise<number>;
  /** In a round, after one that is not counted if there are several. */
  readonly runs: number;
}

export interface List {
  /** Resolves with the number of devices that it has read. */
  readonly read: () => Promise<number>;
  readonly expected: number;
}

export interface RunningAgent extends AsyncDisposable {
  readonly pid: number;
  /** Milliseconds from the request of `echo` to its output. */
  readonly runEcho: () => Promise<number>;
}
