-- Version 1 of the store, as it was written then; never edit.

CREATE TABLE feedsvc_version (
  version INTEGER NOT NULL
);

CREATE TABLE source (
  id TEXT NOT NULL,
  place INTEGER NOT NULL,
  listed BOOLEAN NOT NULL,
  url TEXT NOT NULL,
  adopted TEXT NOT NULL,
  host TEXT NOT NULL,
  next_poll_at BIGINT,
  lease_until BIGINT,
  lease_owner TEXT,
  lease_token BIGINT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT NOT NULL,
  errors INTEGER NOT NULL,
  last_start BIGINT,
  last_success BIGINT,
  last_error TEXT NOT NULL,
  last_error_at BIGINT,
  blocked_until BIGINT,
  validators_url TEXT,
  etag BLOB,
  modified BLOB,
  memory TEXT NOT NULL,
  channel TEXT,
  PRIMARY KEY (id)
);

CREATE INDEX source_due ON source (listed, next_poll_at);

CREATE INDEX source_host ON source (host);

CREATE INDEX source_leased ON source (lease_until);

CREATE TABLE entry (
  source TEXT NOT NULL,
  key_digest BLOB NOT NULL,
  id_digest BLOB NOT NULL,
  "key" TEXT NOT NULL,
  id TEXT NOT NULL,
  link TEXT,
  title TEXT,
  published BIGINT NOT NULL,
  updated BIGINT NOT NULL,
  first_seen BIGINT NOT NULL,
  gone_since BIGINT,
  position INTEGER NOT NULL,
  lang TEXT,
  image TEXT,
  authors TEXT NOT NULL,
  tags TEXT NOT NULL,
  enclosures TEXT NOT NULL,
  origin TEXT,
  content TEXT NOT NULL,
  summary TEXT NOT NULL,
  lead TEXT,
  PRIMARY KEY (source, key_digest),
  FOREIGN KEY(source) REFERENCES source (id)
);

CREATE INDEX entry_gone ON entry (gone_since);

CREATE INDEX entry_id ON entry (id_digest);

INSERT INTO feedsvc_version VALUES (1);

INSERT INTO source VALUES ('warp', 0, 1, 'https://warp.example/feed', '', 'warp.example', 1777885200000000, NULL, NULL, 7,
  'ok', 'interval: 1 h', 0, 1777881600000000, 1777881600000000, '', NULL, NULL, 'https://warp.example/feed', X'223122', NULL,
  '{"gap":null,"gone_polls":0,"hints":{"skip_days":[],"skip_hours":[],"ttl":0.0,"update":0.0},"moving_polls":0,"moving_to":"","wait":3600.0}', NULL);

INSERT INTO entry VALUES ('warp', X'61f5dc14830084d8dc2d1ebc02ef3dec', X'af0fb1130b1fa69a2f8b02de0c04f6cd', 'k', 'urn:k', 'https://warp.example/k', 'One',
  1777881600000000, 1777881600000000, 1777881600000000, NULL, 0, NULL, NULL, '[]', '["GPU"]', '[]', NULL, '<p>One</p>', '', NULL);
