export { deviceScopeCondition } from './data/device-scope-condition.ts';
export { isEverywhere } from './is-everywhere.ts';
