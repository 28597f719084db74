entity-Telescope-plural = טלסקופים
surface-telescope_list = טלסקופים
