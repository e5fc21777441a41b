-- Services are looked at when they are due, not all of them each time: at the end of their sign-in, or when it is ended. The
-- trigger sees what was inserted while the change of the sign-in waited for its lock, which the change itself would not.
update identity.provider_cas_service s set next_at = p.expires_at
  from identity.provider_session p where p.id = s.session_id and p.revoked_at is null;
create index provider_cas_service_next_at on identity.provider_cas_service (next_at);

create function identity.make_cas_services_due() returns trigger language plpgsql as $$
begin
  update identity.provider_cas_service set next_at = new.revoked_at where session_id = new.id;
  return null;
end $$;
create trigger provider_session_revoked after update of revoked_at on identity.provider_session
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function identity.make_cas_services_due();

-- The sign-ins of an application end with it.
create index provider_session_app on identity.provider_session (app_id) where revoked_at is null;
