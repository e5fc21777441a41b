/** Policies for access keys by the name that the operator gives; any other policy comes from a file. */
export const accessKeyPolicies = {
  'administer-users': allow('cognito-idp:*'),
  'read-users': allow([
    'cognito-idp:AdminGetUser',
    'cognito-idp:AdminListGroupsForUser',
    'cognito-idp:ListGroups',
    'cognito-idp:ListUsers',
    'cognito-idp:ListUsersInGroup',
  ]),
} as const;

function allow(actions: string | readonly string[]): object {
  return {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: actions, Resource: '*' }],
  };
}
