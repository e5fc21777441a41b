import type { BackupsView } from '@deviceportal/contract/backups';
import { withBackups } from '../change-answers.ts';
import { failingBackups, workingBackups } from '../simulated-backups.ts';
import type { Situation } from './situation.ts';

const showing = (name: string, backups: () => BackupsView): Situation => ({
  name,
  path: () => '/uam/backups',
  before: (page) => withBackups(page, backups()),
  reach: (page) => page.locator('main table tbody td').first().waitFor(),
});

export const backupSituations: readonly Situation[] = [
  showing('backups that work', workingBackups),
  showing('backups that fail', failingBackups),
];
