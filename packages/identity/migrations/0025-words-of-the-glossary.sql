-- Names of tables and columns by the glossary: organization, access grant.
alter table identity.provider_organisation rename to provider_organization;
alter table identity.access_key rename column lease to access_grant_id;
alter index identity.access_key_by_lease rename to access_key_by_access_grant;
alter index identity.provider_organisation_pkey rename to provider_organization_pkey;
