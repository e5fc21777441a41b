import { isDeepStrictEqual } from 'node:util';
import type {
  AlertDestinationInput,
  ChangedAlertRule,
  NewAlertRule,
  SavedAlertRule,
} from '@deviceportal/contract/alerts';
import { PortalError } from '@deviceportal/contract/errors';
import { newId } from '@deviceportal/contract/ids';
import { holds } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import { actorOf, recordAudit } from '../audit-trail/record-audit.ts';
import { watchedDevices } from '../devices/data/search/watched-devices.ts';
import { inTransaction, type Transaction } from '../platform/database/database.ts';
import { requireRoom } from '../platform/growth-limits/require-room.ts';
import type { Caller } from '../platform/viewer.ts';
import type { AlertsDeps } from './alerts-deps.ts';
import {
  destinationsOf,
  insertRule,
  lockVisibleRule,
  replaceDestinations,
  rulesOfOwner,
  updateRule,
  type StoredDestination,
  type StoredRule,
} from './data/rule-queries.ts';
import { contentOf, labelOf, sealDestination } from './destinations/sealed-destination.ts';
import { endAlert } from './end-alert.ts';
import { requireAllowedUrl } from '../platform/outside/require-allowed-url.ts';

/**
 * Creates a rule of the caller.
 * @throws PortalError 2004 for a filter or an address that is not valid, or too many rules
 */
export async function createRule(
  deps: AlertsDeps,
  caller: Caller,
  input: NewAlertRule,
): Promise<SavedAlertRule> {
  const { destinations, ...fields } = input;
  await requireUsable(deps, caller, input);
  const rule = { ...fields, id: newId(), ownerId: caller.viewer.userId };
  return inTransaction(deps.database, async (tx) => {
    const { ownerId } = rule;
    await requireRoom(tx, { limit: 'alertRules', of: ownerId, existing: rulesOfOwner(ownerId) });
    await insertRule(tx, rule);
    const secrets = await saveDestinations(tx, deps, { rule, given: destinations });
    await recordRule(tx, caller, { type: 'alert.rule-created', rule, more: summaryOf(input) });
    return { id: rule.id, secrets };
  });
}

/**
 * Changes an own rule. A change of what it evaluates ends its firing alert, and evaluates it from the beginning.
 * @throws PortalError 2003 for a rule of another user; 2004 if the rule was changed in the meantime
 */
export async function changeRule(
  deps: AlertsDeps,
  caller: Caller,
  input: ChangedAlertRule,
): Promise<SavedAlertRule> {
  const { destinations, revision, ...fields } = input;
  await requireUsable(deps, caller, input);
  return inTransaction(deps.database, async (tx) => {
    const before = await lockOwnRule(tx, caller, input.id);
    if (before.revision !== revision) throw refuse('alert-rule-changed');
    const at = deps.clock();
    const isRestarted = !evaluatesAlike(before, fields);
    const isTurnedOff = before.enabled && !fields.enabled;
    // Ended first, so that the earlier destinations learn of it.
    if (isTurnedOff || isRestarted) {
      const reason = isTurnedOff ? 'rule-disabled' : 'rule-changed';
      await endAlert(tx, before, { at, reason, counts: null });
    }
    await updateRule(tx, fields, isTurnedOff || isRestarted ? { at } : undefined);
    const rule = { ...fields, ownerId: before.ownerId };
    const secrets = await saveDestinations(tx, deps, { rule, given: destinations });
    await recordRule(tx, caller, { type: 'alert.rule-changed', rule, more: summaryOf(input) });
    return { id: rule.id, secrets };
  });
}

/** @throws PortalError 2003 */
async function lockOwnRule(tx: Transaction, caller: Caller, id: string): Promise<StoredRule> {
  const rule = await lockVisibleRule(tx, caller.viewer, id);
  if (rule?.ownerId !== caller.viewer.userId) throw new PortalError('notFound', { facts: { id } });
  return rule;
}

const evaluatedFields = [
  ...(['filter', 'condition', 'unit', 'above'] as const),
  ...(['resolveAt', 'holdMinutes', 'resolveMinutes', 'enabled', 'excludesChanging'] as const),
];

function evaluatesAlike(
  before: StoredRule,
  after: Pick<StoredRule, (typeof evaluatedFields)[number]>,
): boolean {
  return evaluatedFields.every((field) => isDeepStrictEqual(before[field], after[field]));
}

async function requireUsable(
  { database, clock, alerts }: AlertsDeps,
  { viewer }: Caller,
  { filter, destinations, opensCase }: Pick<NewAlertRule, 'filter' | 'destinations' | 'opensCase'>,
): Promise<void> {
  if (opensCase && !holds(viewer.grants, 'cases:manage')) {
    throw refuse('alert-case-not-permitted', { field: 'opensCase' });
  }
  await watchedDevices(database.orm, viewer, { filter, now: clock() });
  for (const [index, destination] of destinations.entries()) {
    if (!('url' in destination)) continue;
    const field = ['destinations', index, 'url'];
    await requireAllowedUrl(destination.url, alerts.internalHosts, field);
  }
}

async function saveDestinations(
  tx: Transaction,
  { alerts: { vault } }: AlertsDeps,
  {
    rule,
    given,
  }: {
    readonly rule: Pick<StoredRule, 'id' | 'ownerId'>;
    readonly given: readonly AlertDestinationInput[];
  },
): Promise<SavedAlertRule['secrets']> {
  const before = new Map((await destinationsOf(tx, [rule.id])).map((each) => [each.id, each]));
  const secrets: { label: string; secret: string }[] = [];
  const stored = given.map((destination, position): StoredDestination => {
    if (destination.kind === 'kept') {
      const kept = before.get(destination.id);
      before.delete(destination.id);
      if (kept === undefined) throw refuse('alert-destination-unknown', { field: 'destinations' });
      return { ...kept, position };
    }
    const content = contentOf(destination);
    if (content.kind === 'webhook') {
      secrets.push({ label: labelOf(content), secret: content.secret });
    }
    const id = newId();
    return {
      ...{ id, ruleId: rule.id, ownerId: rule.ownerId, kind: content.kind, position },
      sealed: sealDestination(vault, id, content),
    };
  });
  await replaceDestinations(tx, rule.id, stored);
  return secrets;
}

/** Records an act on a rule, never the addresses and keys of its destinations. */
export function recordRule(
  tx: Transaction,
  caller: Caller,
  event: {
    readonly type: `alert.rule-${'created' | 'changed' | 'deleted' | 'muted' | 'unmuted'}`;
    readonly rule: { readonly id: string; readonly name: string };
    readonly more?: Readonly<Record<string, unknown>>;
  },
): Promise<void> {
  return recordAudit(tx, [
    {
      type: event.type,
      actor: actorOf(caller.viewer, caller),
      requestId: caller.requestId,
      data: { ruleId: event.rule.id, rule: event.rule.name, ...event.more },
    },
  ]);
}

const summaryOf = ({ destinations, ...rule }: NewAlertRule | ChangedAlertRule) => ({
  severity: rule.severity,
  enabled: rule.enabled,
  filter: rule.filter,
  condition: rule.condition,
  threshold: { unit: rule.unit, above: rule.above, resolveAt: rule.resolveAt },
  excludesChanging: rule.excludesChanging,
  maintenance: rule.maintenance,
  opensCase: rule.opensCase,
  destinations: destinations.map(({ kind }) => kind),
});
