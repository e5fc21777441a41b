-- Whether people may register by themselves at an application: as the server is configured, always, or never.
alter table identity.provider_application
  add column registration text not null default 'as-provider'
    check (registration in ('as-provider', 'open', 'closed'));
