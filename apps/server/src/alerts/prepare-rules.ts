import { createHash } from 'node:crypto';
import { holds } from '@deviceportal/contract/permissions';
import { filterReachOf } from '../devices/data/search/filter-conditions.ts';
import { watchedDevices } from '../devices/data/search/watched-devices.ts';
import type { Viewer } from '../platform/viewer.ts';
import type { EvaluateAlertsDeps } from './alerts-deps.ts';
import { findOwnerSubject, type StoredRule } from './data/rule-queries.ts';
import type { MeasuredRule } from './measured-rule.ts';
import type { RuleToMeasure } from './measure-rules.ts';
import { postponeFailed } from './postpone-failed.ts';

export interface PreparedRule extends RuleToMeasure {
  readonly rule: StoredRule;
  readonly owner: Viewer;
}

/** Finds the devices of rules, with the current permissions of their owners. */
export async function prepareRules(
  deps: EvaluateAlertsDeps,
  rules: readonly StoredRule[],
  now: Date,
): Promise<{ readonly stopped: readonly MeasuredRule[]; readonly ready: readonly PreparedRule[] }> {
  const stopped: MeasuredRule[] = [];
  const ready: PreparedRule[] = [];
  const owners = new Map<string, Promise<Viewer | undefined>>();
  for (const rule of rules) {
    try {
      const finding = owners.get(rule.ownerId) ?? ownerOf(deps, rule);
      owners.set(rule.ownerId, finding);
      const owner = await finding;
      if (owner === undefined || !mayWatch(owner)) stopped.push({ rule, now, measurement: null });
      else ready.push(await prepare(deps, { rule, owner, now }));
    } catch (error) {
      await postponeFailed(deps, rule, error);
    }
  }
  return { stopped, ready };
}

async function ownerOf(
  { database, findOwner }: EvaluateAlertsDeps,
  { ownerId }: StoredRule,
): Promise<Viewer | undefined> {
  const subject = await findOwnerSubject(database.orm, ownerId);
  return subject === undefined ? undefined : findOwner(subject);
}

/** A rule needs what its owner needed to create it. */
const mayWatch = ({ grants }: Viewer): boolean =>
  holds(grants, 'alerts:manage') && holds(grants, 'devices:read');

async function prepare(
  { database }: EvaluateAlertsDeps,
  { rule, owner, now }: { readonly rule: StoredRule; readonly owner: Viewer; readonly now: Date },
): Promise<PreparedRule> {
  const { id, condition, excludesChanging, filter } = rule;
  return {
    ...{ rule, owner, id, condition, excludesChanging },
    watched: await watchedDevices(database.orm, owner, { filter, now }),
    setKey: createHash('sha256')
      .update(JSON.stringify([filterReachOf(owner), filter]))
      .digest('hex'),
  };
}
