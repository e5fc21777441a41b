import { listGroupsOfUser } from '../user-pool/group-store.ts';
import {
  adminListGroupsForUserSchema,
  createGroupSchema,
  listGroupsSchema,
  membershipSchema,
} from '../wire/administration-shapes.ts';
import type { Operation } from '../wire/operation.ts';
import { WireError } from '../wire/wire-error.ts';
import type { AdministrationContext } from '../../administration/administer.ts';
import { wireGroup } from './attribute-codec.ts';
import { findSubject } from './find-subject.ts';
import type { GroupAdministration, UserGroup } from '../../administration/group-administration.ts';
import { cutPage, decodePageToken, pageSizeOf } from './page-token.ts';
import { signedOperation, type SignedOperationContext } from './signed-operation.ts';
import { inWireWords } from './translate-refusal.ts';

export interface GroupOperationsContext extends SignedOperationContext, AdministrationContext {
  readonly groups: GroupAdministration;
}

/** The signed operations on groups and their members by name (cognito.md, section 3). */
export function groupOperations(context: GroupOperationsContext): Record<string, Operation> {
  const { groups, pool } = context;
  return {
    CreateGroup: signedOperation(context, 'CreateGroup', {
      schema: createGroupSchema,
      async run(input, origin) {
        const { group, isNew } = await inWireWords(
          groups.createGroup(
            {
              name: input.GroupName,
              description: input.Description,
              precedence: input.Precedence,
              roleArn: input.RoleArn,
            },
            origin,
          ),
        );
        if (!isNew) {
          throw new WireError('GroupExistsException', 'A group with the name already exists.');
        }
        return { Group: wireGroup(group, input.UserPoolId) };
      },
    }),
    ListGroups: signedOperation(context, 'ListGroups', {
      schema: listGroupsSchema,
      run: async (input) => pageOf(await groups.listGroups(), input),
    }),
    AdminListGroupsForUser: signedOperation(context, 'AdminListGroupsForUser', {
      schema: adminListGroupsForUserSchema,
      async run(input) {
        const { sub } = await findSubject(pool, input.Username);
        return pageOf(await listGroupsOfUser(pool, sub), input);
      },
    }),
    AdminAddUserToGroup: signedOperation(context, 'AdminAddUserToGroup', {
      schema: membershipSchema,
      async run({ Username, GroupName }, origin) {
        const { sub } = await findSubject(pool, Username);
        await inWireWords(groups.addUserToGroup(sub, GroupName, origin));
        return undefined;
      },
    }),
    AdminRemoveUserFromGroup: signedOperation(context, 'AdminRemoveUserFromGroup', {
      schema: membershipSchema,
      async run({ Username, GroupName }, origin) {
        const { sub } = await findSubject(pool, Username);
        await inWireWords(groups.removeUserFromGroup(sub, GroupName, origin));
        return undefined;
      },
    }),
  };
}

/** Groups are few: they are read whole and cut here, in the order of their names. */
function pageOf(
  groups: readonly UserGroup[],
  input: {
    readonly UserPoolId: string;
    readonly Limit?: number | undefined;
    readonly NextToken?: string | undefined;
  },
) {
  const after = decodePageToken(input.NextToken);
  const rest = groups
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .filter(({ name }) => after === undefined || name > after);
  const { rows, next } = cutPage(rest, pageSizeOf(input.Limit), ({ name }) => name);
  return {
    Groups: rows.map((group) => wireGroup(group, input.UserPoolId)),
    ...(next !== undefined && { NextToken: next }),
  };
}
