import type { airBlast } from './air-blast-tables.ts';

/** A rollout as it is stored. */
export type AirBlastRecord = typeof airBlast.$inferSelect;
export type NewAirBlast = typeof airBlast.$inferInsert;

/** A plan of a rollout. */
export type PlanKey = Pick<AirBlastRecord, 'id' | 'revision'>;
/** An attempt of a step. */
export type StepAttempt = Pick<AirBlastRecord, 'id' | 'revision' | 'step' | 'attempt'>;
