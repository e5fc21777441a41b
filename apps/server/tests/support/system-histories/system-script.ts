import fc from 'fast-check';
import {
  commands,
  DEVICES,
  jobs,
  PEOPLE,
  rolloutActs,
  ROUNDS,
  SERVERS,
  type Action,
  type Command,
  type DeviceAction,
  type Fate,
  type History,
  type UserAction,
  type Round,
  type ScriptEnd,
  type SystemScript,
} from './history.ts';

const ACTS_AT_ONCE = 3;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const who = fc.nat({ max: PEOPLE.length - 1 });
const operator = fc.constantFrom(0, 0, 0, 1, 1, 2, 4);
const administrator = fc.constantFrom(2, 3);
const newcomer = fc.constant(4);
const giver = fc.constantFrom(0, 1, 2, 2, 2, 3, 3, 3, 4);
const pick = fc.nat({ max: 9 });
const device = fc.nat({ max: DEVICES - 1 });
const devices = fc.subarray([0, 1, 2, 3], { minLength: 1 });
const command = fc.constantFrom(...commands);
const twice = fc.oneof(
  { weight: 4, arbitrary: fc.constant(false) },
  { weight: 1, arbitrary: fc.constant(true) },
);
const mostly = fc.oneof(
  { weight: 1, arbitrary: fc.constant(false) },
  { weight: 5, arbitrary: fc.constant(true) },
);
const kind = <const Kind extends string>(...kinds: readonly Kind[]) => fc.constantFrom(...kinds);
const maxErrors = fc.constantFrom('0', '1', '50%', '100%');
const role = fc.constantFrom('Operator', 'Support', 'Administrator');

const planBy = (
  planner: fc.Arbitrary<number>,
  change: fc.Arbitrary<Command>,
): fc.Arbitrary<UserAction> =>
  fc.record({
    kind: kind('plan'),
    who: planner,
    command: change,
    devices,
    canaryPercent: fc.constantFrom(1, 50, 100),
    maxErrors,
    soakSeconds: fc.constantFrom(0, 0, 60),
  });
const plan = planBy(operator, command);
const nextStep: fc.Arbitrary<UserAction> = fc.record({
  kind: kind('next-step'),
  who: operator,
  pick,
  twice,
  byOperator: mostly,
});
const reviewBy = (reviewer: fc.Arbitrary<number>): fc.Arbitrary<UserAction> =>
  fc.record({
    kind: kind('look', 'approve', 'approve', 'approve', 'approve', 'approve-as-seen', 'reject'),
    who: reviewer,
    pick,
  });

const askRoleBy = (asking: fc.Arbitrary<number>): fc.Arbitrary<UserAction> =>
  fc.record({
    kind: kind('ask-role'),
    who: asking,
    role,
    minutes: fc.constantFrom(1, 10, 60),
  });
const answerRoleBy = (answering: fc.Arbitrary<number>): fc.Arbitrary<UserAction> =>
  fc.record({
    kind: kind('grant-role', 'grant-role', 'grant-role', 'refuse-role', 'end-role'),
    who: answering,
    pick,
  });
const changeStatusOf = (
  whom: fc.Arbitrary<number>,
  by: fc.Arbitrary<number>,
): fc.Arbitrary<UserAction> =>
  fc.record({
    kind: kind('suspend', 'restore', 'restore'),
    who: by,
    whom,
    stopQueued: fc.boolean(),
  });

/** Relative frequency of actions. */
const everything = {
  run: 12,
  changeRun: 4,
  repeatRun: 4,
  decideRun: 7,
  plan: 5,
  editPlan: 1,
  nextStep: 18,
  review: 9,
  operate: 4,
  askRole: 3,
  answerRole: 5,
  status: 3,
  roles: 2,
  lifecycle: 1,
};
type Weights = Readonly<Record<keyof typeof everything, number>>;
/** The emphasis of a history: a uniform mixture reaches few states. */
const themes: readonly Weights[] = [
  everything,
  {
    ...everything,
    run: 30,
    changeRun: 10,
    repeatRun: 12,
    decideRun: 14,
    plan: 1,
    nextStep: 2,
    review: 1,
  },
  { ...everything, plan: 3, nextStep: 8, review: 4, askRole: 16, answerRole: 24, status: 6 },
];

const personActs = (
  weights: Weights,
): readonly { weight: number; arbitrary: fc.Arbitrary<UserAction> }[] => [
  {
    weight: weights.run,
    arbitrary: fc.record({
      kind: kind('run'),
      who: operator,
      command,
      devices,
      maxConcurrency: fc.constantFrom('1', '2', '50%', '100%'),
      maxErrors,
      timeoutSeconds: fc.constantFrom(300, 3_600),
      whenLocked: kind('ask', 'queue'),
      twice,
    }),
  },
  {
    weight: weights.changeRun,
    arbitrary: fc.record({
      kind: kind('cancel-run', 'pause-run', 'resume-run', 'cancel-invocation'),
      who: operator,
      pick,
    }),
  },
  {
    weight: weights.repeatRun,
    arbitrary: fc.record({ kind: kind('rerun', 'undo'), who: operator, pick, twice }),
  },
  {
    weight: weights.decideRun,
    arbitrary: fc.record({
      kind: kind('approve-run', 'approve-run', 'approve-run', 'reject-run'),
      who: giver,
      pick,
    }),
  },
  { weight: weights.plan, arbitrary: plan },
  {
    weight: weights.editPlan,
    arbitrary: fc.record({ kind: kind('edit-plan'), who: operator, pick, command, devices }),
  },
  { weight: weights.nextStep, arbitrary: nextStep },
  { weight: weights.review, arbitrary: reviewBy(giver) },
  {
    weight: weights.operate,
    arbitrary: fc.record({
      kind: kind('operate'),
      who: operator,
      pick,
      action: fc.constantFrom(...rolloutActs),
      byOperator: mostly,
    }),
  },
  { weight: weights.askRole, arbitrary: askRoleBy(fc.constantFrom(0, 1, 4, 4, 4)) },
  { weight: weights.answerRole, arbitrary: answerRoleBy(giver) },
  { weight: weights.status, arbitrary: changeStatusOf(who, giver) },
  {
    weight: weights.roles,
    arbitrary: fc.record({
      kind: kind('change-roles'),
      who: giver,
      whom: who,
      role,
      add: fc.boolean(),
    }),
  },
  {
    weight: weights.lifecycle,
    arbitrary: fc.record({
      kind: kind('lifecycle'),
      who: operator,
      device,
      action: kind('suspend', 'resume', 'resume', 'retire'),
    }),
  },
];

const deviceActs: readonly { weight: number; arbitrary: fc.Arbitrary<DeviceAction> }[] = [
  {
    weight: 18,
    arbitrary: fc.record({
      kind: kind(
        'connect',
        'connect',
        'connect',
        'vanish',
        'shut-down',
        'crash',
        'late',
        'heartbeat',
      ),
      device,
    }),
  },
  {
    weight: 14,
    arbitrary: fc.record({ kind: kind('work'), device, exitCode: fc.constantFrom(0, 0, 1) }),
  },
];

/** @param leads actions that are always part of each round */
const history = (
  action: fc.Arbitrary<Action>,
  leads: readonly fc.Arbitrary<Action>[] = [],
): fc.Arbitrary<History> =>
  fc.record({
    devices: fc.array(
      fc.record({
        clockSkewMs: fc.constantFrom(0, 0, 0, -40 * SECOND, 90 * SECOND),
        fates: fc.array(
          fc.oneof(
            { weight: 12, arbitrary: fc.constant<Fate>('once') },
            { weight: 3, arbitrary: kind('twice', 'lost', 'late', 'swapped') },
          ),
          { minLength: 5, maxLength: 11 },
        ),
        scripts: fc.array(fc.constantFrom<ScriptEnd>(0, 0, 0, 1, null), {
          minLength: 3,
          maxLength: 7,
        }),
        keepsProcesses: fc.boolean(),
      }),
      { minLength: DEVICES, maxLength: DEVICES },
    ),
    actions: fc.tuple(
      ...Array.from({ length: ROUNDS }, (_, position) => {
        const others = fc.array(action, { minLength: 1, maxLength: ACTS_AT_ONCE });
        const lead = leads[Math.min(position, leads.length - 1)];
        return lead === undefined
          ? others
          : fc.tuple(lead, others).map(([first, rest]) => [first, ...rest]);
      }),
    ),
  });

const anyAction = (weights: Weights): fc.Arbitrary<Action> =>
  fc.oneof(...personActs(weights), ...deviceActs);

/** A rollout that proceeds, in addition to everything else. */
const rolloutOf = (first: fc.Arbitrary<UserAction>): fc.Arbitrary<History> =>
  history(anyAction(everything), [
    first,
    fc.oneof(
      { weight: 5, arbitrary: nextStep },
      { weight: 3, arbitrary: reviewBy(fc.constantFrom(3, 3, 3, 2)) },
      { weight: 1, arbitrary: plan },
    ),
  ]);

/** Temporary access that starts and ends in every way, in addition to everything else. */
const temporaryAccess = history(anyAction(everything), [
  askRoleBy(newcomer),
  fc.oneof(
    { weight: 3, arbitrary: answerRoleBy(administrator) },
    { weight: 2, arbitrary: askRoleBy(newcomer) },
    { weight: 2, arbitrary: changeStatusOf(newcomer, administrator) },
  ),
]);

const anyHistory = fc.oneof(
  ...themes.map((weights) => history(anyAction(weights))),
  rolloutOf(plan),
  rolloutOf(planBy(fc.constant(2), fc.constant('factory-reset'))),
  temporaryAccess,
);

const clockMs = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(SECOND, 5 * SECOND, 40 * SECOND) },
  { weight: 4, arbitrary: fc.constantFrom(2 * MINUTE, 11 * MINUTE, 20 * MINUTE) },
  { weight: 1, arbitrary: fc.constantFrom(70 * MINUTE, 25 * HOUR, -30 * SECOND, -10 * MINUTE) },
);

const round: fc.Arbitrary<Round> = fc.record({
  clockMs,
  skewMs: fc.array(fc.constantFrom(0, 0, -1_500, 1_500), {
    minLength: SERVERS,
    maxLength: SERVERS,
  }),
  jobs: fc.array(fc.subarray([...jobs]), { minLength: SERVERS, maxLength: SERVERS }),
  kill: fc.option(
    fc.record({ server: fc.nat({ max: SERVERS - 1 }), afterStatements: fc.nat({ max: 900 }) }),
    { freq: 3 },
  ),
});

/** @param size number of concurrent histories */
export const systemScript = (size: number): fc.Arbitrary<SystemScript> =>
  fc.record({
    histories: fc.array(anyHistory, { minLength: size, maxLength: size }),
    rounds: fc.array(round, { minLength: ROUNDS, maxLength: ROUNDS }),
    archives: fc.oneof(
      { weight: 3, arbitrary: fc.constant(false) },
      { weight: 1, arbitrary: fc.constant(true) },
    ),
  });
