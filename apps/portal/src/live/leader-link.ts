import { createLiveHub, type HubMember, type LiveHub } from './live-hub.ts';
import type { FromHub, ToHub } from './tab-messages.ts';
import { announcePresence, whenReleased } from './tab-presence.ts';

/** Messages between tabs, one of which holds the connection. */
type LeaderMessage =
  | { readonly to: 'leader'; readonly from: string; readonly message: ToHub }
  | { readonly to: 'tab'; readonly tab: string; readonly message: FromHub }
  /** Sent by a new leader, and then periodically. Without it, another tab takes over. */
  | { readonly to: 'all'; readonly isNew: boolean };

const BEAT_MS = 4_000;
const SILENCE_MS = 14_000;

export interface LinkOptions {
  /** Separates the tabs of this user from those of others. */
  readonly name: string;
  readonly onMessage: (message: FromHub) => void;
  /** A new hub has started, which must be sent everything again. */
  readonly onNewHub: () => void;
  /** This kind of link does not work in this browser. Another one must be used. */
  readonly onBroken: () => void;
  readonly createHub?: () => LiveHub;
  readonly silenceMs?: number;
  readonly beatMs?: number;
}

/** The link of a tab to the hub. */
export interface HubLink extends Disposable {
  readonly send: (message: ToHub) => void;
}

/**
 * Our own implementation: the leader election of broadcast-channel (5.3 kB gzip, compared with 0.9
 * kB) leaves the lock with a suspended tab, so that every tab of the user would be without the live
 * channel.
 *
 * Without shared workers, one tab leads: it holds a Web Lock and the connection, and the other tabs
 * use it. When the leader closes or crashes, the next tab gets the lock. When it is suspended, an
 * active tab steals the lock.
 */
export function openLeaderLink(options: LinkOptions): HubLink {
  return new LeaderLink(options);
}

class LeaderLink implements HubLink {
  readonly #options: LinkOptions;
  readonly #tab = Math.random().toString(36).slice(2, 12);
  readonly #channel: BroadcastChannel;
  readonly #members = new Map<string, HubMember>();
  readonly #watchdog: ReturnType<typeof setInterval>;
  #hub: LiveHub | undefined;
  #beat: ReturnType<typeof setInterval> | undefined;
  #heardAtMs = Date.now();
  #lookedAtMs = Date.now();
  #release: (() => void) | undefined;
  /** Until then, a leader would consider this tab closed. */
  #isPresent = false;
  #ended = false;

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#channel = new BroadcastChannel(options.name);
    this.#channel.addEventListener('message', ({ data }: MessageEvent<LeaderMessage>) =>
      this.#hear(data),
    );
    void announcePresence(this.#presenceOf(this.#tab)).then(() => {
      this.#isPresent = true;
      this.#options.onNewHub();
      this.#stand(false);
    });
    this.#watchdog = setInterval(() => this.#watch(), (options.silenceMs ?? SILENCE_MS) / 4);
  }

  send(message: ToHub): void {
    if (this.#hub) this.#take(this.#tab, message);
    else if (this.#isPresent) this.#post({ to: 'leader', from: this.#tab, message });
  }

  [Symbol.dispose](): void {
    this.#ended = true;
    clearInterval(this.#watchdog);
    this.#resign();
    this.#channel.close();
  }

  #presenceOf(tab: string): string {
    return `${this.#options.name}.${tab}`;
  }

  /** @param steal Takes the lock from a leader that no longer responds. */
  #stand(steal: boolean): void {
    if (this.#ended) return;
    navigator.locks
      .request(this.#options.name, { steal }, () => {
        if (this.#ended) return undefined;
        this.#lead();
        return new Promise<void>((release) => {
          this.#release = release;
        });
      })
      // Another tab took the lock while this one was suspended.
      .catch(() => {
        this.#resign();
        this.#stand(false);
      });
  }

  #lead(): void {
    this.#hub = (this.#options.createHub ?? createLiveHub)();
    this.#beat = setInterval(
      () => this.#post({ to: 'all', isNew: false }),
      this.#options.beatMs ?? BEAT_MS,
    );
    this.#post({ to: 'all', isNew: true });
    this.#options.onNewHub();
  }

  #resign(): void {
    clearInterval(this.#beat);
    this.#hub?.end();
    this.#hub = undefined;
    this.#members.clear();
    this.#release?.();
    this.#release = undefined;
    this.#heardAtMs = Date.now();
  }

  #hear(data: LeaderMessage): void {
    if (data.to === 'all') {
      this.#heardAtMs = Date.now();
      if (data.isNew) this.#options.onNewHub();
    } else if (data.to === 'tab' && data.tab === this.#tab) this.#options.onMessage(data.message);
    else if (data.to === 'leader' && this.#hub) this.#take(data.from, data.message);
  }

  #take(tab: string, message: ToHub): void {
    let member = this.#members.get(tab);
    if (member === undefined && this.#hub) {
      member = this.#hub.join((answer) => {
        if (tab === this.#tab) this.#options.onMessage(answer);
        else this.#post({ to: 'tab', tab, message: answer });
      });
      this.#members.set(tab, member);
      const joined = member;
      if (tab !== this.#tab)
        whenReleased(this.#presenceOf(tab), () => {
          joined.leave();
          this.#members.delete(tab);
        });
    }
    member?.receive(message);
    if (message.kind === 'bye') this.#members.delete(tab);
  }

  /**
   * Only a visible tab takes over, because it needs the changes and its timers are not throttled.
   */
  #watch(): void {
    const silenceMs = this.#options.silenceMs ?? SILENCE_MS;
    const nowMs = Date.now();
    // Messages sent while this tab was suspended arrive shortly.
    const slept = nowMs - this.#lookedAtMs > silenceMs / 2;
    this.#lookedAtMs = nowMs;
    if (this.#hub || slept || document.visibilityState !== 'visible') this.#heardAtMs = nowMs;
    if (nowMs - this.#heardAtMs < silenceMs) return;
    this.#heardAtMs = nowMs;
    this.#options.onMessage({ kind: 'live', connected: false, resumed: false });
    this.#stand(true);
  }

  #post(message: LeaderMessage): void {
    if (!this.#ended) this.#channel.postMessage(message);
  }
}
