/** Purposes of keys derived from the installation key. Each key seals or signs one kind of data. */
export const keyPurposes = {
  parameters: 'secret parameters',
  messages: 'waiting messages',
  alerts: 'alert destinations',
  identity: 'identity service keys',
  links: 'signed links',
  approvals: 'AirBlast approvals',
  personalData: 'personal data keys',
  addresses: 'addresses of rejected enrollments',
  nextSteps: 'AirBlast next-step tokens',
  imports: 'rows of imports',
  tickets: 'ticket system',
  apiRequests: 'requests with an idempotency key',
} as const;
