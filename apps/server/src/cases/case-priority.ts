import { casePriorities, type CaseRow } from '@deviceportal/contract/cases';

/** The stored form of a priority: its position, from 1. */
export const priorityRank = (priority: CaseRow['priority']): number =>
  casePriorities.indexOf(priority) + 1;

export const priorityOf = (rank: number): CaseRow['priority'] =>
  casePriorities[rank - 1] ?? 'normal';
