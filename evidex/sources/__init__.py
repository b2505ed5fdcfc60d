"""What may be read, in which version, by whom?"""
