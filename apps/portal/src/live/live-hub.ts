import type { LiveMessage, Watch } from '@deviceportal/contract/live-channel';
import { matchesWatch } from './matches-watch.ts';
import { mergeWatches } from './merge-watches.ts';
import {
  openMqttConnection,
  type ConnectionTarget,
  type MqttConnection,
  type MqttConnectionOptions,
} from './mqtt-connection.ts';
import type { FromHub, ToHub } from './tab-messages.ts';

/** A tab in the hub. */
export interface HubMember {
  readonly receive: (message: ToHub) => void;
  readonly leave: () => void;
}

export interface LiveHub {
  readonly join: (post: (message: FromHub) => void) => HubMember;
  /** Ends the connection and removes all tabs, for example after a sign-out. */
  readonly end: () => void;
}

export interface LiveHubOptions {
  readonly open?: (options: MqttConnectionOptions) => MqttConnection;
  readonly targetTimeoutMs?: number;
  readonly patienceMs?: number;
}

interface Tab {
  readonly post: (message: FromHub) => void;
  watches: readonly Watch[];
}

const PUBLISH_DELAY_MS = 20;
const TARGET_TIMEOUT_MS = 15_000;
/**
 * Milliseconds. A tab that has not signed by then may be suspended, and the others are asked as
 * well.
 */
const PAGE_TIMEOUT_MS = 1_500;

/**
 * Holds the single connection of all tabs of one user: requests signed URLs from them, sends their
 * combined watches to the server, and forwards changes to the tabs that watch them. Without tabs
 * there is no connection.
 */
export function createLiveHub(options: LiveHubOptions = {}): LiveHub {
  return new Hub(options);
}

class Hub implements LiveHub {
  readonly #options: LiveHubOptions;
  readonly #tabs = new Set<Tab>();
  #connection: MqttConnection | undefined;
  #connected = false;
  /** A connection ended or failed, so changes may have been missed. */
  #interrupted = false;
  #answer: ((target: ConnectionTarget) => void) | undefined;
  /** The tab that sent the last message is not suspended. */
  #awake: Tab | undefined;
  #publishing: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LiveHubOptions) {
    this.#options = options;
  }

  join(post: Tab['post']): HubMember {
    const tab: Tab = { post, watches: [] };
    this.#tabs.add(tab);
    post({ kind: 'live', connected: this.#connected, resumed: false });
    this.#connection ??= (this.#options.open ?? openMqttConnection)({
      target: () => this.#askForTarget(),
      onOpen: () => this.#opened(),
      onClose: () => {
        this.#interrupted = true;
        this.#tellLive(false);
      },
      onMessage: (payload) => this.#deliver(payload),
    });
    return {
      receive: (message) => this.#receive(tab, message),
      leave: () => this.#leave(tab),
    };
  }

  end(): void {
    this.#tellLive(false);
    this.#tabs.clear();
    this.#close();
  }

  #receive(tab: Tab, message: ToHub): void {
    if (!this.#tabs.has(tab)) return;
    this.#awake = tab;
    switch (message.kind) {
      case 'watches':
        tab.watches = message.watches;
        this.#publishSoon();
        return;
      case 'target':
        if (message.target) this.#answer?.(message.target);
        else if (this.#answer) this.#post({ kind: 'wanted' }, tab);
        return;
      case 'awake':
        this.#connection?.check();
        return;
      case 'bye':
        this.#leave(tab);
    }
  }

  #leave(tab: Tab): void {
    if (!this.#tabs.delete(tab)) return;
    if (this.#tabs.size === 0) this.#close();
    else this.#publishSoon();
  }

  #close(): void {
    clearTimeout(this.#publishing);
    this.#connection?.[Symbol.dispose]();
    this.#connection = undefined;
    this.#connected = false;
    this.#interrupted = false;
    this.#answer = undefined;
    this.#awake = undefined;
  }

  /**
   * One tab signs. If it is suspended or has no session, the others are asked, and the first
   * response is used.
   */
  #askForTarget(): Promise<ConnectionTarget> {
    return new Promise((resolve, reject) => {
      const { targetTimeoutMs, patienceMs } = this.#options;
      const others = setTimeout(
        () => this.#post({ kind: 'wanted' }),
        patienceMs ?? PAGE_TIMEOUT_MS,
      );
      const timer = setTimeout(() => {
        this.#answer = undefined;
        this.#interrupted = true;
        reject(new Error('No tab has a session.'));
      }, targetTimeoutMs ?? TARGET_TIMEOUT_MS);
      this.#answer = (target) => {
        clearTimeout(timer);
        clearTimeout(others);
        this.#answer = undefined;
        resolve(target);
      };
      const [first] = this.#tabs;
      const asked = this.#awake && this.#tabs.has(this.#awake) ? this.#awake : first;
      asked?.post({ kind: 'wanted' });
    });
  }

  #opened(): void {
    this.#tellLive(true);
    this.#interrupted = false;
    this.#publish();
  }

  #tellLive(connected: boolean): void {
    if (this.#connected === connected) return;
    this.#connected = connected;
    this.#post({ kind: 'live', connected, resumed: connected && this.#interrupted });
  }

  #publishSoon(): void {
    // Leaving one screen and entering the next happen together, so the update is delayed.
    clearTimeout(this.#publishing);
    this.#publishing = setTimeout(() => this.#publish(), PUBLISH_DELAY_MS);
  }

  #publish(): void {
    if (!this.#connected) return;
    const watches = mergeWatches([...this.#tabs].map((tab) => tab.watches));
    const payload = JSON.stringify({ watches });
    this.#connection?.publish(payload);
  }

  #deliver(payload: Uint8Array): void {
    const { changes } = JSON.parse(new TextDecoder().decode(payload)) as LiveMessage;
    for (const { post, watches } of this.#tabs) {
      const own = changes.filter((change) => watches.some((watch) => matchesWatch(watch, change)));
      if (own.length > 0) post({ kind: 'changes', changes: own });
    }
  }

  #post(message: FromHub, except?: Tab): void {
    for (const tab of this.#tabs) if (tab !== except) tab.post(message);
  }
}
