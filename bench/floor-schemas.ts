// What the floor answers, for its compiled serializers: the members that the contract declares.

const text = { type: 'string' };
const integer = { type: 'integer' };
const orNull = (type: string) => ({ type: [type, 'null'] });
const yesOrNo = { type: 'boolean' };
const schemaOf = (properties: Record<string, object>) => ({ type: 'object', properties });
const schemaOrNull = (properties: Record<string, object>) => ({ ...schemaOf(properties), nullable: true });

export const fileSchema = schemaOf({
  id: integer,
  originalName: text,
  size: integer,
  contentType: text,
  sha256: text,
  uploadedAt: text,
  createdAt: text,
  uploadedById: orNull('integer'),
  uploaderName: text,
  clientId: integer,
  clientName: text,
  reportTypeId: orNull('integer'),
  reportTypeName: orNull('string'),
  fileType: text,
  documentType: orNull('string'),
  period: orNull('string'),
  isNew: yesOrNo,
  // Those who delete files take none back.
  openedByOthers: { type: 'null' },
  corrects: schemaOrNull({ id: integer, originalName: text }),
  correctedBy: schemaOrNull({ id: integer, originalName: text, uploadedAt: text }),
  onHold: yesOrNo,
  version: text,
});

export const clientSchema = schemaOf({
  id: integer,
  name: text,
  address: text,
  phone: text,
  phoneNumber: text,
  email: text,
  federalId: text,
  stateId: text,
  employeeCount: integer,
  startDate: text,
  otherNames: { type: 'array', items: text },
  onHold: yesOrNo,
  version: text,
});

const activitySchema = schemaOf({
  id: integer,
  action: text,
  fileId: orNull('integer'),
  fileName: orNull('string'),
  fileOpens: yesOrNo,
  details: orNull('string'),
  userId: orNull('integer'),
  userName: text,
  clientId: orNull('integer'),
  clientName: orNull('string'),
  timestamp: text,
  announcedOnly: yesOrNo,
  alsoWrote: integer,
  alsoOfBatch: integer,
});

export const overviewSchema = schemaOf({
  totals: schemaOf({ clients: integer, users: integer, files: integer, activity: integer }),
  recentActivity: { type: 'array', items: activitySchema },
  recentUploads: { type: 'array', items: fileSchema },
  backup: { type: 'null' },
});
