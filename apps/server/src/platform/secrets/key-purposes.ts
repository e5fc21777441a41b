/** For what keys are derived from the installation key: each seals or signs one kind of thing. */
export const keyPurposes = {
  parameters: 'secret parameters',
  messages: 'waiting messages',
  identity: 'identity service keys',
  links: 'signed links',
  approvals: 'AirBlast approvals',
  nextSteps: 'AirBlast next-step tokens',
} as const;
