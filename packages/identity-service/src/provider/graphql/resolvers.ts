import { loginResolvers } from './login-resolvers.ts';
import { lookupResolvers } from './lookup-resolvers.ts';
import { userFields } from './user-fields.ts';

/** Every operation by its field. */
export const resolvers = {
  Query: { ...lookupResolvers },
  Mutation: { ...loginResolvers },
  User: userFields,
};
