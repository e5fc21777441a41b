import type { Role } from './role-store.ts';

/** A role on the wire, with the one above it. */
export function toWireRole({ parent, ...role }: Role) {
  return { ...plainRole(role), parent: parent && plainRole(parent) };
}

function plainRole(role: Omit<Role, 'parent'>) {
  const { id, userPoolId, namespace, code, description, createdAt, modifiedAt } = role;
  return {
    id,
    namespace,
    code,
    description,
    arn: `arn:cn:deviceportal:${userPoolId}:role:${namespace}:${code}`,
    createdAt: createdAt.toISOString(),
    updatedAt: modifiedAt.toISOString(),
  };
}
