-- Services that signed somebody in by CAS, and are told when that sign-in ends. ticket_box: the ticket by which the service
-- knows its own session, sealed with the service key. next_at: not to be told (again) before.
create table identity.provider_cas_service (
  id text primary key,
  session_id text not null references identity.provider_session on delete cascade,
  app_id text not null references identity.provider_application on delete cascade,
  service text not null,
  ticket_box bytea not null,
  attempts integer not null default 0,
  next_at timestamptz not null
);
create index provider_cas_service_session on identity.provider_cas_service (session_id);
create index provider_cas_service_app on identity.provider_cas_service (app_id);
