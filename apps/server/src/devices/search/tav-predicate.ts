import { sql } from 'drizzle-orm';
import { tavState, type TavState } from '@deviceportal/contract/states';
import { fromRows, onDevice, onStatus, source, type Predicate } from './device-predicate.ts';
import { devicesBySeen } from './facet-predicates.ts';

/** From the best to the worst, as the table of states lists them. */
const tavStates = Object.keys(tavState) as TavState[];

export function isTavState(text: string): text is TavState {
  return Object.hasOwn(tavState, text);
}

/** Devices whose worst component is in this state. */
export function worstTavStateIs(state: TavState): Predicate {
  return onStatus(sql`s.tav_state = ${state}`, [
    stated('', state),
    devicesBySeen({ tavState: [state] }),
  ]);
}

/** Devices of which this component is in this state; their worst one is no better. */
export function componentTavStateIs(component: string, state: TavState): Predicate {
  const holds = (device: ReturnType<typeof sql>) => sql`exists (
    select from device_tav t where t.device_id = ${device} and t.component = ${component} and t.state = ${state} offset 0)`;
  const noBetter = tavStates.slice(tavStates.indexOf(state));
  return {
    ...onDevice(holds(sql`d.id`), [
      stated(component, state),
      devicesBySeen({ tavState: noBetter, exact: false }),
    ]),
    whereOnStatus: holds(sql`s.device_id`),
  };
}

function stated(component: string, state: TavState) {
  const rows = fromRows(sql`device_tav b`, sql`b.component = ${component} and b.state = ${state}`);
  const sorts = ['serialNumber', 'name'] as const;
  return source([{ ...rows, keys: sorts, ordered: sorts }]);
}
