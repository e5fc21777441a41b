import type { Recording } from './read-recording.ts';

export interface RecordingScreen {
  /** Before the first event. */
  readonly onStart: () => void;
  readonly onOutput: (text: string) => void;
  readonly onSize: (columns: number, rows: number) => void;
  readonly onChange: (shown: {
    readonly atSeconds: number;
    readonly isPlaying: boolean;
    readonly speed: number;
  }) => void;
}

const STEP_MS = 40;
/** Longer pauses are shortened. */
const LONGEST_PAUSE_SECONDS = 2;
/** Characters of output before a moment that are shown when it is jumped to. */
const MOST_JUMPED = 2_000_000;

/** Plays the events of a recording at their times. */
export class RecordingClock {
  readonly #recording: Recording;
  readonly #screen: RecordingScreen;
  readonly #now: () => number;
  #next = 0;
  #atSeconds = 0;
  #speed = 1;
  #timer: ReturnType<typeof setInterval> | undefined;
  #steppedAtMs = 0;

  constructor(recording: Recording, screen: RecordingScreen, now = () => performance.now()) {
    this.#recording = recording;
    this.#screen = screen;
    this.#now = now;
  }

  play(): void {
    if (this.#timer !== undefined) return;
    if (this.#next === 0 || this.#next >= this.#recording.events.length) {
      this.#next = 0;
      this.#atSeconds = 0;
      this.#screen.onStart();
    }
    this.#steppedAtMs = this.#now();
    this.#timer = setInterval(() => this.#step(), STEP_MS);
    this.#tell();
  }

  pause(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#tell();
  }

  /** Shows what the screen showed after this event, and pauses. */
  jumpTo(event: number): void {
    const { events } = this.#recording;
    if (events[event] === undefined) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    if (event < this.#next || this.#next === 0) {
      this.#next = 0;
      this.#screen.onStart();
    }
    const first = this.#firstShown(event);
    for (; this.#next <= event; this.#next += 1) this.#show(this.#next, this.#next >= first);
    this.#atSeconds = events[event].atSeconds;
    this.#tell();
  }

  setSpeed(speed: number): void {
    this.#speed = speed;
    this.#tell();
  }

  #step(): void {
    const { events } = this.#recording;
    const nowMs = this.#now();
    this.#atSeconds += ((nowMs - this.#steppedAtMs) / 1_000) * this.#speed;
    this.#steppedAtMs = nowMs;
    for (;;) {
      const event = events[this.#next];
      if (event === undefined) break;
      if (event.atSeconds - this.#atSeconds > LONGEST_PAUSE_SECONDS)
        this.#atSeconds = event.atSeconds - LONGEST_PAUSE_SECONDS;
      if (event.atSeconds > this.#atSeconds) break;
      this.#show(this.#next, true);
      this.#next += 1;
    }
    if (this.#next >= events.length) {
      this.#atSeconds = this.#recording.seconds;
      this.pause();
    } else this.#tell();
  }

  #show(index: number, showsOutput: boolean): void {
    const event = this.#recording.events[index];
    if (event?.kind === 'size') {
      const [columns = 80, rows = 24] = event.text.split('x').map(Number);
      this.#screen.onSize(columns, rows);
    } else if (event && showsOutput) this.#screen.onOutput(event.text);
  }

  /** Output before this event cannot be seen any more after a jump. */
  #firstShown(event: number): number {
    let characters = 0;
    let first = event;
    while (first > 0 && characters < MOST_JUMPED) {
      first -= 1;
      characters += this.#recording.events[first]?.text.length ?? 0;
    }
    return first;
  }

  #tell(): void {
    this.#screen.onChange({
      atSeconds: this.#atSeconds,
      isPlaying: this.#timer !== undefined,
      speed: this.#speed,
    });
  }
}
