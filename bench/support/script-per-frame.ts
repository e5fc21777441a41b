/** An event of Chromium's tracing; times in microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  /** CPU time of the thread, independent of other processes. */
  readonly tdur?: number;
  readonly args?: { readonly data?: { readonly type?: string } };
}

/** Trace events of our script; nested ones are included in the outer one. */
const scripts = new Set([
  'FunctionCall',
  'EvaluateScript',
  'EventDispatch',
  'FireAnimationFrame',
  'TimerFire',
  'RunMicrotasks',
  'v8.callFunction',
]);
const FRAME = 'FireAnimationFrame';

export interface ScriptPerFrame {
  /** CPU time of the main thread in milliseconds, per frame. */
  readonly busyMs: readonly number[];
  /** The same in wall time. */
  readonly wallMs: readonly number[];
  /** The frames that started while the pointer was down. */
  readonly draggedMs: readonly number[];
}

/** Total script time of the page's main thread between two animation frames. */
export function scriptPerFrame(events: readonly TraceEvent[]): ScriptPerFrame {
  const frames = events.filter(({ name, ph }) => name === FRAME && ph === 'X');
  const [{ pid, tid } = { pid: 0, tid: 0 }] = frames;
  const own = events
    .filter((event) => event.pid === pid && event.tid === tid && event.ph === 'X')
    .filter(({ name }) => scripts.has(name))
    .toSorted((one, other) => one.ts - other.ts || (other.dur ?? 0) - (one.dur ?? 0));
  const outer: TraceEvent[] = [];
  let endsAt = 0;
  for (const event of own) {
    if (event.ts < endsAt) continue;
    outer.push(event);
    endsAt = event.ts + (event.dur ?? 0);
  }
  const starts = outer.filter(({ name }) => name === FRAME).map(({ ts }) => ts);
  const sums = starts.map(() => ({ busy: 0, wall: 0 }));
  let frame = -1;
  for (const event of outer) {
    while (frame + 1 < starts.length && event.ts >= (starts[frame + 1] ?? 0)) frame += 1;
    const sum = sums[frame];
    if (sum === undefined) continue;
    sum.busy += event.tdur ?? event.dur ?? 0;
    sum.wall += event.dur ?? 0;
  }
  const turns = outer
    .filter(({ args }) => args?.data?.type === 'mousedown' || args?.data?.type === 'mouseup')
    .map(({ ts, args }) => ({ ts, isDown: args?.data?.type === 'mousedown' }));
  const isDragged = (ts: number): boolean =>
    turns.findLast((turn) => turn.ts <= ts)?.isDown === true;
  return {
    draggedMs: sums
      .filter((_, index) => isDragged(starts[index] ?? 0))
      .map(({ busy }) => busy / 1_000),
    busyMs: sums.map(({ busy }) => busy / 1_000),
    wallMs: sums.map(({ wall }) => wall / 1_000),
  };
}
