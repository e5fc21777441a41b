-- Whether somebody has this number is asked without its country.
create index provider_user_national_phone on identity.provider_user (user_pool_id, phone);
