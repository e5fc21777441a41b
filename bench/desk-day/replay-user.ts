import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PortalClient } from '../support/portal-client.ts';
import { callTogether, type Call } from './call-together.ts';
import type { DeskDevice, DeskStep } from './desk-day.ts';
import type { DeskFigures } from './desk-figures.ts';
import { keepValues, MissingValue, placeValues, type DeskValues } from './place-values.ts';

/** Requests of one screen are sent together, and the next screen does not wait for them longer than this. */
const TOGETHER_SECONDS = 0.1;
const OVER_BUDGET_WAIT_MS = 100;
const MOST_TRIES = 30;
/** A screen reads again when it is informed of a change. */
const READ_AGAIN_MS = 500;
const MOST_READS = 20;

export interface DeskPlayer {
  readonly url: string;
  readonly client: PortalClient;
  readonly steps: readonly DeskStep[];
  readonly devices: readonly DeskDevice[];
  readonly figures: DeskFigures;
  /** What recorded seconds are multiplied by. */
  readonly pace: number;
}

/** Steps of one HTTP request. */
type Request = readonly [DeskStep, ...DeskStep[]];

/** Replays the day of one user once. Requests of one screen run at the same time. */
export async function replayUser(player: DeskPlayer): Promise<void> {
  const values: DeskValues = { devices: player.devices, kept: new Map() };
  const startedAt = performance.now();
  let dueSeconds = 0;
  let screen: Promise<void>[] = [];
  for (const request of requestsOf(player.steps)) {
    const [{ after, mutation }] = request;
    dueSeconds += after * player.pace;
    if (after > TOGETHER_SECONDS || mutation !== undefined || request.some(needsKept)) {
      await Promise.all(screen);
      screen = [];
    }
    const waitMs = startedAt + dueSeconds * 1_000 - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    screen.push(send(player, request, values));
  }
  await Promise.all(screen);
}

function requestsOf(steps: readonly DeskStep[]): readonly Request[] {
  const requests: [DeskStep, ...DeskStep[]][] = [];
  for (const step of steps) {
    const last = requests.at(-1);
    if (step.together && last) last.push(step);
    else requests.push([step]);
  }
  return requests;
}

const needsKept = ({ input, case: caseId }: DeskStep): boolean =>
  caseId !== undefined || /"\$(?!device|serialNumbers|now|new)/.test(JSON.stringify(input) ?? '');

const pathOf = ({ query, mutation = '' }: DeskStep): string => query ?? mutation;

/** As the portal does: repeats calls that the server did not start for lack of time. */
async function send(
  player: DeskPlayer,
  request: readonly DeskStep[],
  values: DeskValues,
): Promise<void> {
  let waiting = request;
  const reads = new Map<DeskStep, number>();
  for (let attempt = 1; waiting.length > 0; attempt += 1) {
    const placed = waiting.flatMap((step) => callOf(player, step, values));
    const answers = await callAll(player, placed, values);
    const next: DeskStep[] = [];
    let waitMs = 0;
    for (const [index, { step }] of placed.entries()) {
      const again = take(player, { step, answer: answers[index], attempt, reads, values });
      if (again === undefined) continue;
      next.push(step);
      waitMs = Math.max(waitMs, again);
    }
    waiting = next;
    if (waiting.length > 0) await sleep(waitMs);
  }
}

interface Placed {
  readonly step: DeskStep;
  readonly call: Call;
}

function callOf({ figures }: DeskPlayer, step: DeskStep, values: DeskValues): readonly Placed[] {
  try {
    return [{ step, call: { path: pathOf(step), input: placeValues(step.input, values) } }];
  } catch (error) {
    if (!(error instanceof MissingValue)) throw error;
    figures.fail(pathOf(step), `no ${error.message}`);
    return [];
  }
}

async function callAll(
  { url, client, figures }: DeskPlayer,
  placed: readonly Placed[],
  { kept }: DeskValues,
): Promise<readonly unknown[]> {
  const [first] = placed;
  if (first === undefined) return [];
  const startedAt = performance.now();
  const answers = await callTogether({
    ...{ url, headers: client.headers },
    isMutation: first.step.mutation !== undefined,
    caseId: kept.get(first.step.case?.slice(1) ?? '') as string | undefined,
    calls: placed.map(({ call }) => call),
  });
  const ms = performance.now() - startedAt;
  for (const [index, { call }] of placed.entries())
    if (!(answers[index] instanceof Error)) figures.note(call.path, ms);
  return answers;
}

interface Answered {
  readonly step: DeskStep;
  readonly answer: unknown;
  readonly attempt: number;
  readonly reads: Map<DeskStep, number>;
  readonly values: DeskValues;
}

/** Returns the milliseconds after which the step is repeated, if it is. */
function take(
  { figures }: DeskPlayer,
  { step, answer, attempt, reads, values }: Answered,
): number | undefined {
  if (answer instanceof Error) {
    if (attempt < MOST_TRIES && answer.message.includes('overBudget')) {
      figures.repeat();
      return OVER_BUDGET_WAIT_MS;
    }
    figures.fail(pathOf(step), answer.message);
    return undefined;
  }
  if (keepValues(answer, step.keep ?? {}, values)) return undefined;
  const read = (reads.get(step) ?? 0) + 1;
  reads.set(step, read);
  if (step.mutation === undefined && read < MOST_READS) return READ_AGAIN_MS;
  figures.fail(pathOf(step), 'the answer has no value that a later step needs');
  return undefined;
}
