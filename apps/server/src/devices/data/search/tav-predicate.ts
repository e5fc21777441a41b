import { sql, type SQLWrapper } from 'drizzle-orm';
import { tavState, type TavState } from '@deviceportal/contract/states';
import { componentStates } from '../../../versions/data/component-states.ts';
import {
  copiedKeys,
  fromRows,
  onDevice,
  onStatus,
  source,
  type Predicate,
} from './device-predicate.ts';
import { devicesBySeen } from './facet-predicates.ts';
import { d, s } from './search-rows.ts';

/** From best to worst, in the order of the table of states. */
const tavStates = Object.keys(tavState) as TavState[];

export function isTavState(text: string): text is TavState {
  return Object.hasOwn(tavState, text);
}

/** Devices whose worst component has this state. */
export function worstTavStateIs(state: TavState): Predicate {
  return onStatus(sql`${s.tavState} = ${state}`, [
    stated('', state),
    devicesBySeen({ tavState: [state] }),
  ]);
}

/** Devices whose component has this state; the state of the device is the same or worse. */
export function componentTavStateIs(component: string, state: TavState): Predicate {
  const holds = (deviceId: SQLWrapper) => sql`exists (
    select from ${componentStates} where ${componentStates.deviceId} = ${deviceId}
      and ${componentStates.component} = ${component} and ${componentStates.state} = ${state} offset 0)`;
  const noBetter = tavStates.slice(tavStates.indexOf(state));
  return {
    ...onDevice(holds(d.id), [
      stated(component, state),
      devicesBySeen({ tavState: noBetter, exact: false }),
    ]),
    whereOnStatus: holds(s.deviceId),
  };
}

function stated(component: string, state: TavState) {
  const where = sql`${componentStates.component} = ${component} and ${componentStates.state} = ${state}`;
  const { deviceId } = componentStates;
  return source([
    fromRows({ from: componentStates, deviceId }, where, copiedKeys(componentStates)),
  ]);
}
