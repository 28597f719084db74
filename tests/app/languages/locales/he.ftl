entity-Telescope-plural = טלסקופים
surface-telescope_list = טלסקופים
this line is not a text
dz-actions-for = פעולות עבור { $nothing }
