/**
 * Software history of a simulated device: its application followed the releases with the delay of
 * its owner.
 */

import type { SoftwareComponent } from '../machine/machine.ts';
import type { DevicePlan } from './describe-fleet.ts';
import { kernelVersions, models, systemVersions } from './fleet-catalog.ts';
import { FIRMWARE, releaseAgeDays } from './describe-releases.ts';
import { seededRandom } from './seeded-random.ts';

export interface PastSoftware {
  readonly daysAgo: number;
  readonly components: readonly SoftwareComponent[];
}

/** Maximum delay from a release to its installation. */
const LATEST_DAYS = 40;

/** Complete lists, oldest first. The last one is the current software. */
export function describePastSoftware(plan: DevicePlan): PastSoftware[] {
  const random = seededRandom(`${plan.serialNumber}/past`);
  const changes = plan.software.flatMap(({ component, version }) => {
    const known = versionsOf(plan.model, component);
    const now = known.indexOf(version);
    if (now < 0) return [];
    return known.slice(now).map((each, older) => {
      // Squared, so that most devices update soon and some late.
      const delayDays = Math.round(random.next() ** 2 * LATEST_DAYS);
      return { component, version: each, daysAgo: ageOf(now + older, delayDays) };
    });
  });
  const days = [...new Set(changes.map(({ daysAgo }) => daysAgo))].toSorted((a, b) => b - a);
  return days.map((day) => ({
    daysAgo: day,
    components: plan.software.map(({ component, version }) => {
      // The kernel is part of the operating system.
      const source = component === 'kernel' ? 'os' : component;
      const own = changes.filter((change) => change.component === source);
      // Newest first. Before its first recorded change, a component had its oldest version.
      const then = own.find(({ daysAgo }) => daysAgo >= day) ?? own.at(-1);
      const found = then?.version ?? version;
      if (component !== 'kernel') return { component, version: found };
      return { component, version: kernelVersions[found.replace('Debian ', '')] ?? version };
    }),
  }));
}

/** Never before the release, never in the future. */
const ageOf = (position: number, delayDays: number): number =>
  Math.max(1, releaseAgeDays(position) - Math.min(delayDays, releaseAgeDays(position) - 1));

function versionsOf(modelName: string, component: string): readonly string[] {
  const model = models.find((each) => each.model === modelName);
  if (component === model?.service) return model.applicationVersions;
  if (component === 'firmware') return FIRMWARE;
  return component === 'os' ? systemVersions.map((version) => `Debian ${version}`) : [];
}
