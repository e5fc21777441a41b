import { refusal } from '../refusals/refusal.ts';

/** What administrators of the identity provider are refused. */
export const providerRefusals = {
  'changed-meanwhile': refusal(
    'Another user changed this in the meantime. Open it again and review it.',
  ),
  'application-is-portal': refusal(
    'This application is the portal itself. The configuration of the server determines it.',
  ),
  'too-many-applications': refusal('There are already {most} applications. Remove one first.', {
    facts: { most: 'count' },
  }),
  'too-many-departments': refusal('There are already {most} departments. Remove one first.', {
    facts: { most: 'count' },
  }),
  'department-place-invalid': refusal(
    'Select a parent department of the same organization that is not below this department.',
  ),
  'department-code-taken': refusal('Another department of this organization uses this code.'),
  'member-unknown': refusal('No account has this username, email address, or phone number.'),
  'provider-role-of-portal': refusal(
    '{role} makes administrators of the portal. Assign the Administrator role in the list of users instead.',
    { facts: { role: 'role' } },
  ),
  'provider-role-code-taken': refusal('This namespace already has a role with this code.'),
  'entity-id-taken': refusal('Another application uses this entity ID.'),
  'certificate-invalid': refusal('The certificate cannot be read.'),
  'saml-metadata-has-document-type': refusal(
    'The metadata must not contain a document type declaration.',
  ),
  'saml-metadata-invalid': refusal('This is not the metadata of a SAML service provider.'),
  'saml-metadata-value-invalid': refusal('A value of the metadata is not valid: {value}.', {
    facts: { value: ['entityId', 'acsUrls', 'logoutUrl', 'certificate'] },
  }),
} as const;
