import fc from 'fast-check';

/** How a message is delivered. */
export type Fate = 'once' | 'twice' | 'lost' | 'late' | 'swapped';

/** The result of a command on a device. */
export type DeviceEnd = 'Success' | 'Failed' | 'TimedOut' | 'Cancelled';

/** An event in a run, on one of its devices, or with a message between them. */
export type Action =
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
  /** Concurrent actions in each round; the rounds of all histories of a fixture are concurrent, too. */
  readonly actions: readonly (readonly Action[])[];
}

/** Actions of the two servers in a round. */
export interface Round {
  /** Servers that poll. */
  readonly polls: readonly number[];
  /** One is killed after so many further statements. */
  readonly kill: { readonly server: number; readonly afterStatements: number } | null;
}

/** Delivery and execution timeout of commands. */
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

const action: fc.Arbitrary<Action> = fc.oneof(
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
      // A moment; until an unresponsive device is polled again; beyond the delivery timeout; beyond everything.
      seconds: fc.constantFrom(5, 40, 40, 40, DELIVERY_SECONDS + 40, 1_300),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel-one' as const), device }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('pause', 'resume', 'cancel') }) },
) as fc.Arbitrary<Action>;

export const history: fc.Arbitrary<History> = fc.record({
  devices: fc.array(
    fc.record({
      isOnline: fc.oneof(
        { weight: 4, arbitrary: fc.constant(true) },
        { weight: 1, arbitrary: fc.constant(false) },
      ),
      // Some clocks are years off.
      clockSkewMs: fc.constantFrom(0, 0, -40_000, 90_000, -4e10, 4e10),
    }),
    { minLength: 1, maxLength: MOST_DEVICES },
  ),
  maxConcurrency: fc.constantFrom('1', '2', '50', '50%', '100%'),
  maxErrors: fc.constantFrom('0', '0', '1', '2', '50%', '100%'),
  actions: fc.array(fc.array(action, { minLength: 1, maxLength: ACTS_AT_ONCE }), {
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
