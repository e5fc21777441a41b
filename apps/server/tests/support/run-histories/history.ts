import fc from 'fast-check';

/** How a message travels. */
export type Fate = 'once' | 'twice' | 'lost' | 'late' | 'swapped';

/** What a command comes to on a device. */
export type DeviceEnd = 'Success' | 'Failed' | 'TimedOut' | 'Cancelled';

/** One thing that happens to a run, to one of its devices or to a message between them. */
export type Act =
  | {
      readonly kind: 'deliver';
      readonly device: number;
      readonly pick: number;
      readonly fate: Fate;
    }
  | { readonly kind: 'work'; readonly device: number; readonly end: DeviceEnd }
  | { readonly kind: 'report'; readonly device: number; readonly fate: Fate }
  | { readonly kind: 'overdue'; readonly device: number }
  | { readonly kind: 'connect' | 'vanish' | 'wipe' | 'retire'; readonly device: number }
  | { readonly kind: 'cancel-one'; readonly device: number }
  | { readonly kind: 'pause' | 'resume' | 'cancel' }
  | { readonly kind: 'wait'; readonly seconds: number };

export interface History {
  readonly devices: readonly { readonly isOnline: boolean; readonly clockSkewMs: number }[];
  readonly maxConcurrency: string;
  readonly maxErrors: string;
  /** What happens at once in each round; the rounds of all histories of a world happen at once, too. */
  readonly acts: readonly (readonly Act[])[];
}

/** What happens to the two servers in a round. */
export interface Round {
  /** Which of them looks at everything. */
  readonly polls: readonly number[];
  /** One dies after so many more statements, as a process does that is killed. */
  readonly kill: { readonly server: number; readonly afterStatements: number } | null;
}

/** How long commands of a history may wait, and run. */
export const DELIVERY_SECONDS = 600;
export const EXECUTION_SECONDS = 600;
const MOST_DEVICES = 4;
const ROUNDS = 14;
const ACTS_AT_ONCE = 3;

const device = fc.nat({ max: MOST_DEVICES - 1 });
const fate = fc.oneof(
  { weight: 10, arbitrary: fc.constant<Fate>('once') },
  { weight: 5, arbitrary: fc.constantFrom<Fate>('twice', 'lost', 'late', 'swapped') },
);
const end = fc.oneof(
  { weight: 5, arbitrary: fc.constant<DeviceEnd>('Success') },
  { weight: 4, arbitrary: fc.constantFrom<DeviceEnd>('Failed', 'TimedOut', 'Cancelled') },
);

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 22,
    arbitrary: fc.record({
      kind: fc.constant('deliver' as const),
      device,
      pick: fc.nat({ max: 9 }),
      fate,
    }),
  },
  { weight: 26, arbitrary: fc.record({ kind: fc.constant('work' as const), device, end }) },
  { weight: 20, arbitrary: fc.record({ kind: fc.constant('report' as const), device, fate }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('overdue' as const), device }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('connect' as const), device }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('vanish' as const), device }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('wipe', 'retire'), device }) },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      // A moment; until a silent device is asked again; beyond the delivery; beyond everything.
      seconds: fc.constantFrom(5, 40, 40, 40, DELIVERY_SECONDS + 40, 1_300),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel-one' as const), device }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('pause', 'resume', 'cancel') }) },
) as fc.Arbitrary<Act>;

export const history: fc.Arbitrary<History> = fc.record({
  devices: fc.array(
    fc.record({
      isOnline: fc.oneof(
        { weight: 4, arbitrary: fc.constant(true) },
        { weight: 1, arbitrary: fc.constant(false) },
      ),
      // Some clocks stand in another year.
      clockSkewMs: fc.constantFrom(0, 0, -40_000, 90_000, -4e10, 4e10),
    }),
    { minLength: 1, maxLength: MOST_DEVICES },
  ),
  maxConcurrency: fc.constantFrom('1', '2', '50', '50%', '100%'),
  maxErrors: fc.constantFrom('0', '0', '1', '2', '50%', '100%'),
  acts: fc.array(fc.array(act, { minLength: 1, maxLength: ACTS_AT_ONCE }), {
    minLength: ROUNDS,
    maxLength: ROUNDS,
  }),
});

export const rounds: fc.Arbitrary<Round[]> = fc.array(
  fc.record({
    polls: fc.subarray([0, 1]),
    kill: fc.option(
      fc.record({ server: fc.nat({ max: 1 }), afterStatements: fc.nat({ max: 30 }) }),
      { freq: 3 },
    ),
  }),
  { minLength: ROUNDS, maxLength: ROUNDS },
);
