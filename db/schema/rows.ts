/**
 * The row of each table of `db/migrations`, with the names and types of its columns. A query takes the types of
 * what it selects from here: `Pick<Rows['employees'], 'id' | 'name'>`. So a renamed or changed column fails the
 * type check wherever it is read. A test writes this file from the schema.
 */
export type Rows = {
  accounts: {
    companyId: number;
    id: number;
    username: string;
    name: string;
    passwordHash: string | null;
    isOwner: boolean;
    isManager: boolean;
    ownerSince: Date | null;
    signedInAt: Date | null;
    language: string | null;
    sessionVersion: number;
    createdAt: Date;
  };
  alarms: {
    companyId: number;
    id: number;
    kind: string;
    keyId: number | null;
    accountId: number | null;
    at: Date;
    lastAt: Date;
    pushedAt: Date | null;
    details: Record<string, unknown>;
    dismissedAt: Date | null;
  };
  apiKeys: {
    companyId: number;
    id: number;
    name: string;
    fingerprint: Buffer;
    createdBy: number;
    createdAt: Date;
    revokedAt: Date | null;
    note: string | null;
    replacesId: number | null;
    mustConfirm: boolean;
    expectedEveryMinutes: number | null;
    expectedSince: Date | null;
    silenceCheckAt: Date | null;
    silentSince: Date | null;
    expiresAt: Date | null;
  };
  auditLog: {
    companyId: number;
    id: number;
    at: Date;
    actorKind: string;
    actorId: number | null;
    actorName: string;
    action: string;
    details: Record<string, unknown>;
    requestId: string;
    keyId: number | null;
    employeeId: number | null;
  };
  buildFiles: {
    build: string;
    path: string;
    isGzip: boolean;
    content: Buffer;
    signature: Buffer;
    seenAt: Date;
  };
  companies: {
    id: number;
    name: string;
    timeZone: string;
    lastNo: number;
    activeEmployees: number;
    accessNo: number;
    mustConfirmKinds: string[];
    keepNotificationsDays: number | null;
    keepRefusalsDays: number;
    warnOfRepeats: boolean;
    warnOfSilence: boolean;
    guessingPushedAt: Date | null;
    onlyIssuer: string | null;
    fallbackAccountId: number | null;
    secondFactorFrom: Date | null;
    managersIdleMinutes: number | null;
    employeesIdleMinutes: number | null;
    linkBase: string | null;
    embedOrigins: string[];
    createdAt: Date;
  };
  companyLogos: {
    companyId: number;
    version: string;
    png: Buffer;
    width: number;
    height: number;
    createdAt: Date;
  };
  employees: {
    companyId: number;
    id: number;
    accountId: number | null;
    name: string;
    role: string;
    staffNumber: string | null;
    active: boolean;
    readUpTo: number;
    settledUpTo: number;
    createdAt: Date;
  };
  employment: {
    companyId: number;
    employeeId: number;
    fromNo: number;
    untilNo: number | null;
  };
  exportParts: {
    companyId: number;
    exportId: string;
    place: number;
    bytes: Buffer;
  };
  exports: {
    companyId: number;
    id: string;
    createdBy: number;
    createdAt: Date;
    heartbeatAt: Date;
    rowsDone: number;
    rowsTotal: number;
    finishedAt: Date | null;
    failedAt: Date | null;
  };
  failedSignIns: {
    companyId: number;
    accountId: number;
    source: Buffer;
    startedAt: Date;
    lastAt: Date;
    failures: number;
  };
  hourlyJobs: {
    name: string;
    runner: string | null;
    leaseUntil: Date | null;
    endedAt: Date;
  };
  idempotency: {
    companyId: number;
    keyId: number;
    idempotencyKey: string;
    bodyHash: Buffer;
    reach: number;
    createdAt: Date;
  };
  identities: {
    companyId: number;
    id: number;
    accountId: number;
    issuer: string;
    subject: string;
    label: string;
    createdAt: Date;
    usedAt: Date | null;
  };
  imports: {
    companyId: number;
    id: string;
    createdBy: number;
    createdAt: Date;
    rows: { line: number; name: string; role: string; staffNumber?: string; namesake?: boolean }[];
    appliedAt: Date | null;
    added: number | null;
    changed: number | null;
  };
  invitations: {
    companyId: number;
    tokenHash: Buffer;
    employeeId: number | null;
    accountId: number | null;
    ownerName: string | null;
    managerName: string | null;
    createdBy: number | null;
    createdAt: Date;
    expiresAt: Date;
    usedAt: Date | null;
  };
  joinLinks: {
    companyId: number;
    id: number;
    tokenHash: Buffer;
    role: string | null;
    maxRequests: number;
    requests: number;
    createdBy: number;
    createdAt: Date;
    expiresAt: Date;
    revokedAt: Date | null;
  };
  joinRequests: {
    companyId: number;
    id: number;
    linkId: number;
    tokenHash: Buffer;
    name: string;
    role: string | null;
    address: string;
    createdAt: Date;
    decidedAt: Date | null;
    decidedBy: number | null;
    employeeId: number | null;
  };
  keyTraffic: {
    companyId: number;
    keyId: number;
    hour: Date;
    requests: number;
    refused: number;
  };
  keyUsage: {
    companyId: number;
    keyId: number;
    windowStartedAt: Date;
    used: number;
  };
  keyUses: {
    companyId: number;
    keyId: number;
    firstAt: Date;
    lastAt: Date;
    operation: string | null;
    address: string;
    client: string;
  };
  limitCounters: {
    subject: Buffer;
    uses: number;
    endsAt: Date;
  };
  notificationPeople: {
    companyId: number;
    no: number;
    employeeId: number;
  };
  notificationPictures: {
    companyId: number;
    draftId: string;
    jpeg: Buffer;
    width: number;
    height: number;
    createdAt: Date;
  };
  notifications: {
    companyId: number;
    no: number;
    recipientId: number | null;
    isListed: boolean;
    toRoles: string[] | null;
    title: string;
    body: string;
    kind: string;
    url: string | null;
    reach: number;
    keyId: number | null;
    accountId: number | null;
    draftId: string | null;
    mustConfirm: boolean;
    remindsNo: number | null;
    withdrawnAt: Date | null;
    withdrawalNo: number | null;
    skipped: number | null;
    correctedAt: Date | null;
    correctionNo: number | null;
    correctedBy: number | null;
    createdAt: Date;
  };
  ownerDevices: {
    companyId: number;
    accountId: number;
    endpointHash: Buffer;
    endpoint: string;
    p256dh: string;
    auth: string;
    sessionId: number;
    createdAt: Date;
    pending: Record<string, string>;
    retryAt: Date | null;
    retries: number;
  };
  passkeys: {
    companyId: number;
    id: number;
    accountId: number;
    name: string;
    credentialId: Buffer;
    publicKey: Buffer;
    counter: number;
    transports: string[];
    createdAt: Date;
    usedAt: Date | null;
  };
  plannedSends: {
    companyId: number;
    draftId: string;
    accountId: number;
    recipientId: number | null;
    toRoles: string[] | null;
    toPeople: number[] | null;
    title: string;
    body: string;
    kind: string;
    url: string | null;
    mustConfirm: boolean;
    isPlanned: boolean;
    ruleId: number | null;
    createdAt: Date;
    leavesAt: Date;
    undoneAt: Date | null;
    missedAt: Date | null;
    missedBefore: number;
    remindsNo: number | null;
  };
  portals: {
    companyId: number;
    employeeId: number;
    browserId: string;
    sound: string | null;
    seenAt: Date;
  };
  preferences: {
    companyId: number;
    employeeId: number;
    mutedKinds: string[];
    sound: string;
    hidePrivate: boolean | null;
    keepPopUps: boolean;
    shortcuts: boolean;
    unreadFirst: boolean;
    quietFrom: number | null;
    quietUntil: number | null;
    quietTimeZone: string | null;
    silentUntil: Date | null;
  };
  pushSubscriptions: {
    companyId: number;
    employeeId: number;
    endpointHash: Buffer;
    endpoint: string;
    p256dh: string;
    auth: string;
    sessionId: number;
    createdAt: Date;
  };
  readMarks: {
    companyId: number;
    employeeId: number;
    upTo: number;
    at: Date;
  };
  receipts: {
    companyId: number;
    employeeId: number;
    no: number;
    shownAt: Date | null;
    readAt: Date | null;
    unreadAt: Date | null;
    confirmedAt: Date | null;
    archivedAt: Date | null;
    snoozedUntil: Date | null;
    snoozePushAt: Date | null;
  };
  recoveryCodes: {
    companyId: number;
    accountId: number;
    codeHash: Buffer;
    createdAt: Date;
  };
  refusalCounts: {
    companyId: number;
    id: number;
    hour: Date;
    keyId: number | null;
    code: string;
    wanted: number;
    notKept: number;
  };
  refusals: {
    companyId: number;
    id: number;
    at: Date;
    requestId: string;
    keyId: number | null;
    code: string;
    field: string | null;
    figures: Record<string, number | string> | null;
    operation: string;
    address: string;
    client: string;
    more: number;
  };
  sendRules: {
    companyId: number;
    id: number;
    accountId: number;
    recipientId: number | null;
    toRoles: string[] | null;
    toPeople: number[] | null;
    title: string;
    body: string;
    kind: string;
    url: string | null;
    mustConfirm: boolean;
    every: string;
    weekdays: number[] | null;
    monthDay: number | null;
    minute: number;
    timeZone: string;
    startsOn: string;
    endsOn: string | null;
    createdAt: Date;
    endedAt: Date | null;
  };
  sendStatistics: {
    companyId: number;
    day: string;
    keyId: number;
    sends: number;
    reach: number;
    readWithinHour: number;
    toConfirm: number;
    confirmed: number;
    countedAt: Date;
  };
  sendTemplates: {
    companyId: number;
    id: number;
    name: string;
    recipientId: number | null;
    toRoles: string[] | null;
    toPeople: number[] | null;
    title: string;
    body: string;
    kind: string;
    url: string | null;
    mustConfirm: boolean;
    createdBy: number;
    createdAt: Date;
    changedAt: Date;
  };
  sessions: {
    companyId: number;
    id: number;
    accountId: number;
    createdAt: Date;
    seenAt: Date;
    provedAt: Date;
    hasSecondFactor: boolean;
    expiresAt: Date;
    address: string;
    client: string;
  };
};

/** The name of a table or column in the schema. */
export const asColumn = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
