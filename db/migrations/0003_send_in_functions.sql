-- The send of a key, as functions: the plan of each small statement stays cached. A name ends with its version: the
-- last release runs beside the next one and keeps calling its own. Parameters and variables begin with `_`.

-- Whether a key is neither revoked nor expired now, by the clock of the database.
create function is_valid_key_1(_revoked_at timestamptz, _expires_at timestamptz) returns boolean
  language sql stable
  return _revoked_at is null and _expires_at > now() is not false;

-- Finds the valid key with this fingerprint and counts one request; no row when there is no such key. A window starts
-- with the key's first request and lasts 60 s, so waiting 60 s always helps (contract §4). Beyond the limit, `_used` is
-- the limit and one.
create function count_request_1(
  _fingerprint bytea, _limit integer,
  out _company_id integer, out _company_name text, out _key_id integer, out _key_name text,
  out _used integer, out _ends_in integer
) returns setof record rows 1 language plpgsql as $$
begin
  select k.company_id, c.name, k.id, k.name into _company_id, _company_name, _key_id, _key_name
  from api_keys k join companies c on c.id = k.company_id
  where k.fingerprint = _fingerprint and is_valid_key_1(k.revoked_at, k.expires_at);
  if not found then return; end if;

  insert into key_usage as usage (company_id, key_id, window_started_at, used) values (_company_id, _key_id, now(), 1)
  on conflict (company_id, key_id) do update set
    used = case when usage.window_started_at > now() - interval '60 s' and usage.window_started_at < now() + interval '60 s'
      then least(usage.used, _limit) + 1 else 1 end,
    window_started_at = case
      when usage.window_started_at > now() - interval '60 s' and usage.window_started_at < now() + interval '60 s'
      then usage.window_started_at else now() end
  returning used, least(60, ceil(extract(epoch from window_started_at - now()) + 60)::int) into _used, _ends_in;
  return next;
end
$$;

-- The only insert of a notification: takes the company's next number, and writes the row and its audit entry. The
-- caller holds the company's row. `_details` is the content of the entry, without the number. Returns the number.
create function store_notification_1(
  _company_id integer, _recipient_id integer, _is_listed boolean, _to_roles text[],
  _title text, _body text, _kind text, _url text, _reach integer, _must_confirm boolean,
  _key_id integer, _account_id integer, _draft_id uuid, _reminds_no bigint, _skipped integer,
  _created_at timestamptz, _action text, _sender_name text, _details jsonb, _request_id text
) returns bigint language plpgsql as $$
declare
  _no bigint;
begin
  update companies set last_no = last_no + 1 where id = _company_id returning last_no into _no;

  insert into notifications (company_id, no, recipient_id, is_listed, to_roles, title, body, kind, url, reach,
    must_confirm, key_id, account_id, draft_id, reminds_no, skipped, created_at)
  values (_company_id, _no, _recipient_id, _is_listed, _to_roles, _title, _body, _kind, _url, _reach,
    _must_confirm, _key_id, _account_id, _draft_id, _reminds_no, _skipped, _created_at);
  if not found then raise exception 'the notification was not stored'; end if;

  insert into audit_log (company_id, actor_kind, actor_id, actor_name, action, details, request_id, key_id, employee_id)
  values (_company_id, case when _key_id is null then 'account' else 'key' end, coalesce(_key_id, _account_id),
    _sender_name, _action, _details || jsonb_build_object('no', _no), _request_id, _key_id, _recipient_id);
  return _no;
end
$$;

-- The answer to a request whose idempotency key was used within 24 hours (contract §7): 'replayed' for the same send,
-- else 'reused', with `_reach` of the first. Null: it was not.
create function find_earlier_send_1(
  _company_id integer, _key_id integer, _idempotency_key text, _body_hash bytea,
  out _outcome text, out _reach integer
) language plpgsql as $$
begin
  if _idempotency_key is null then return; end if;
  select case when body_hash = _body_hash then 'replayed' else 'reused' end, reach into _outcome, _reach
  from idempotency
  where company_id = _company_id and key_id = _key_id and idempotency_key = _idempotency_key
    and created_at > now() - interval '24 hours';
end
$$;

-- Sends a notification of a key whose request was counted, to one employee or, without `_employee_id`, to everyone.
-- `_outcome`: 'sent', with `_no`, `_reach` and whether the company has devices to push to; 'replayed' or 'reused';
-- 'not-in-company'; 'revoked'; 'busy', when the company's row is locked and the caller does not wait for it.
create function send_by_key_1(
  _company_id integer, _key_id integer, _employee_id integer, _title text, _body text, _kind text, _url text,
  _request_id text, _idempotency_key text, _body_hash bytea, _waits boolean,
  out _outcome text, out _no bigint, out _reach integer, out _has_devices boolean
) language plpgsql as $$
declare
  _company record;
  _key record;
begin
  -- Each change of a key, and of who is active, takes this lock first. So what the next statements read is the newest
  -- state, it lasts until the commit, and `_reach` is exact at the notification's number.
  select active_employees, must_confirm_kinds into _company from companies where id = _company_id
  for no key update skip locked;
  if not found then
    -- What needs no lock is answered at once.
    select * into _outcome, _reach from find_earlier_send_1(_company_id, _key_id, _idempotency_key, _body_hash);
    if _outcome is not null then return; end if;
    if _employee_id is not null and not exists (select from employees where company_id = _company_id and id = _employee_id)
    then _outcome := 'not-in-company'; return; end if;
    if not _waits then _outcome := 'busy'; return; end if;
    select active_employees, must_confirm_kinds into _company from companies where id = _company_id for no key update;
  end if;

  if _idempotency_key is not null then
    select * into _outcome, _reach from find_earlier_send_1(_company_id, _key_id, _idempotency_key, _body_hash);
    if _outcome is not null then return; end if;
  end if;

  select is_valid_key_1(k.revoked_at, k.expires_at) as is_valid, k.name, k.must_confirm,
    e.id as recipient_id, e.name as recipient_name, e.active as is_recipient_active,
    exists (select from push_subscriptions p where p.company_id = _company_id) as has_devices
  into _key
  from api_keys k left join employees e on e.company_id = _company_id and e.id = _employee_id
  where k.company_id = _company_id and k.id = _key_id;
  if _employee_id is not null and _key.recipient_id is null then _outcome := 'not-in-company'; return; end if;
  if not coalesce(_key.is_valid, false) then _outcome := 'revoked'; return; end if;
  _reach := case when _employee_id is null then _company.active_employees else _key.is_recipient_active::int end;

  _no := store_notification_1(
    _company_id, _employee_id, false, null, _title, _body, _kind, _url, _reach,
    _key.must_confirm or _kind = any(_company.must_confirm_kinds), _key_id, null, null, null, null, now(),
    'notification.send', _key.name,
    jsonb_build_object('recipientId', _employee_id, 'recipientName', _key.recipient_name, 'title', _title, 'kind', _kind,
      'reach', _reach),
    _request_id);

  if _idempotency_key is not null then
    insert into idempotency (company_id, key_id, idempotency_key, body_hash, reach)
    values (_company_id, _key_id, _idempotency_key, _body_hash, _reach)
    on conflict (company_id, key_id, idempotency_key) do update
      set body_hash = excluded.body_hash, reach = excluded.reach, created_at = excluded.created_at;
  end if;
  _outcome := 'sent';
  _has_devices := _key.has_devices;
end
$$;

-- Counts a request of the valid key with this fingerprint, and sends if it is within the limit. No row: no such key.
-- `_outcome` is 'over-limit', or that of `send_by_key_1` without a wait.
create function count_and_send_1(
  _fingerprint bytea, _limit integer, _employee_id integer, _title text, _body text, _kind text, _url text,
  _request_id text, _idempotency_key text, _body_hash bytea,
  out _company_id integer, out _company_name text, out _key_id integer, out _key_name text,
  out _used integer, out _ends_in integer,
  out _outcome text, out _no bigint, out _reach integer, out _has_devices boolean
) returns setof record rows 1 language plpgsql as $$
begin
  select * into _company_id, _company_name, _key_id, _key_name, _used, _ends_in
  from count_request_1(_fingerprint, _limit);
  if not found then return; end if;

  _outcome := 'over-limit';
  if _used <= _limit then
    select * into _outcome, _no, _reach, _has_devices
    from send_by_key_1(_company_id, _key_id, _employee_id, _title, _body, _kind, _url, _request_id, _idempotency_key,
      _body_hash, false);
  end if;
  return next;
end
$$;
