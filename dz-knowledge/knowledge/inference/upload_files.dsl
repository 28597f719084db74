# Files
# triggers: upload a document; attach a photo; scanned contract; PDF; pictures
# suggests_for: attachments; field
# A field of the type `file(10MB)` holds one file; a child entity holds several.

entity Passport "Passport":
  id: uuid pk
  holder: str(120) required
  scan: file(10MB)
  permit:
    list: authenticated
    read: authenticated
    create: authenticated
    update: authenticated
