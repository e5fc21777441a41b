import { choice, integer } from './setting.ts';

const group = 'Access reviews';

/** When reviews of access start without an administrator. */
export const accessReviewSettings = {
  accessReviewEveryDays: integer(
    {
      env: 'DEVICEPORTAL_ACCESS_REVIEW_EVERY_DAYS',
      group,
      description:
        'Days after which the next review of all roles starts. With 0, only administrators start reviews.',
    },
    { min: 0, max: 3_650, default: 0 },
  ),
  accessReviewOverdue: choice(
    {
      env: 'DEVICEPORTAL_ACCESS_REVIEW_OVERDUE',
      group,
      description:
        'What happens at the due date to roles without a decision, in reviews that start by schedule: `keep` leaves them as overdue, `remove` removes them.',
    },
    ['keep', 'remove'],
    'keep',
  ),
};
