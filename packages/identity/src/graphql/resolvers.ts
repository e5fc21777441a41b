import { accountResolvers } from './account-resolvers.ts';
import { loginResolvers } from './login-resolvers.ts';
import { lookupResolvers } from './lookup-resolvers.ts';
import { passwordResolvers } from './password-resolvers.ts';
import { registrationResolvers } from './registration-resolvers.ts';
import { sessionResolvers } from './session-resolvers.ts';
import { userFields } from './user-fields.ts';
import { valueResolvers } from './value-resolvers.ts';

const { refreshToken, ...sessionQueries } = sessionResolvers;

/** Every operation by its field. */
export const resolvers = {
  Query: { ...lookupResolvers, ...sessionQueries, ...valueResolvers.Query },
  Mutation: {
    ...registrationResolvers,
    ...loginResolvers,
    ...passwordResolvers,
    ...accountResolvers,
    ...valueResolvers.Mutation,
    refreshToken,
  },
  User: userFields,
};
