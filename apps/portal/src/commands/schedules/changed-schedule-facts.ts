import type { ScheduleToSign } from '@deviceportal/contract/schedules';

/** The labels of the signed parts of a schedule. */
const words = {
  name: 'commands.schedule.name',
  command: 'commands.columns.command',
  consequence: 'commands.document.title',
  document: 'commands.document.title',
  subDocuments: 'commands.document.title',
  parameters: 'commands.schedules.parameters',
  target: 'commands.target.title',
  frozenCount: 'commands.target.title',
  maxDevices: 'commands.schedule.maxDevices',
  maxConcurrency: 'commands.options.concurrency',
  maxErrors: 'commands.options.errors',
  timeoutSeconds: 'commands.options.timeout',
  comment: 'commands.options.comment',
  times: 'commands.schedule.kind',
  missed: 'commands.schedule.missed',
  createdBy: 'commands.result.by',
  elevationId: 'commands.schedules.ends',
} as const;
type Fact = keyof typeof words;

/** The labels of the changed parts of a schedule. */
export function changedScheduleFacts(
  before: Pick<ScheduleToSign, 'facts'>,
  now: Pick<ScheduleToSign, 'facts'>,
): (typeof words)[Fact][] {
  const changed = (Object.keys(words) as Fact[]).filter(
    (fact) => before.facts[fact] !== now.facts[fact],
  );
  return [...new Set(changed.map((fact) => words[fact]))];
}
